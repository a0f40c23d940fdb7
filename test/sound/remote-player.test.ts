// What the main thread hands to the sound thread about shows: in the order in which it happened.
import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { createTimeMemory, SharedEngineTime } from '../../src/clock/shared-time.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { Catalogue, type Playlist } from '../../src/engine/catalogue.js'
import { RemotePlayer } from '../../src/sound/remote-player.js'
import { ShowReceiver } from '../../src/sound/show-transfer.js'
import type { ToSound } from '../../src/sound/sound-messages.js'

const showOf = (title: string, buttons: number): Catalogue => new Catalogue({
  title,
  playlists: [{
    id: 'list', title: 'List',
    buttons: Array.from({ length: buttons }, (_, n) => ({ id: `b${n}`, title: `B ${n}` })),
  } as unknown as Playlist],
})

/** A sound thread that notes what the engine is told, and takes parts when it is let. */
const threadOf = () => {
  const inbox: ToSound[] = []
  const told: string[] = []
  const receiver = new ShowReceiver()
  const player = new RemotePlayer({
    worker: { postMessage: (message: ToSound) => inbox.push(message) } as unknown as Worker,
    timers: new VirtualTimers(0),
    catalogue: showOf('first', 1),
    time: new SharedEngineTime(createTimeMemory()),
    around: () => { throw new Error('nobody asks') },
  })
  /** One message, as the thread takes it. */
  const take = (): void => {
    const message = inbox.shift()
    if (message?.kind === 'facts') told.push(...message.facts.map(({ kind }) => kind))
    if (message?.kind !== 'show_part') return
    const whole = receiver.add(message.part)
    if (whole !== null) told.push(whole.title)
    player.heard({ kind: 'show_part_taken', show: message.part.show })
  }
  const takeAll = (): void => { while (inbox.length > 0) take() }
  return { player, told, take, takeAll }
}

it('a show that is saved again while it is handed over leaves nobody waiting', () => {
  const { player, told, take, takeAll } = threadOf()
  player.tell({ kind: 'catalogue_busy' })
  player.replaceCatalogue(showOf('of 500', 500))
  take()
  take()
  player.tell({ kind: 'catalogue_busy' })
  player.replaceCatalogue(showOf('of 250', 250))
  takeAll()
  // Commands are refused from `catalogue_busy` to the next show: the show comes last.
  expect(told).toEqual(['catalogue_busy', 'catalogue_busy', 'of 250'])
})

it('one that is refused while another is handed over comes behind that', () => {
  const { player, told, take, takeAll } = threadOf()
  player.tell({ kind: 'catalogue_busy' })
  player.replaceCatalogue(showOf('of 500', 500))
  take()
  player.tell({ kind: 'catalogue_busy' })
  player.tell({ kind: 'catalogue_kept', message: 'refused' })
  takeAll()
  expect(told).toEqual(['catalogue_busy', 'of 500', 'catalogue_busy', 'catalogue_kept'])
})

it('a shutdown does not wait for a show', () => {
  const { player, told, takeAll } = threadOf()
  player.replaceCatalogue(showOf('of 500', 500))
  player.tell({ kind: 'shutdown' })
  takeAll()
  expect(told).toEqual(['shutdown'])
})
