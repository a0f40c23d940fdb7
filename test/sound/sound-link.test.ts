// The sound thread as the daemon holds it: what it says reaches those who wait for it.
import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { createTimeMemory } from '../../src/clock/shared-time.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { SoundLink } from '../../src/sound/sound-link.js'
import type { FromSound, ToSound } from '../../src/sound/sound-messages.js'

/** In place of the thread: it says what a test says. */
class Thread extends EventEmitter {
  readonly told: ToSound[] = []

  postMessage(message: ToSound): void {
    this.told.push(message)
  }

  terminate(): Promise<void> {
    return Promise.resolve()
  }

  say(message: FromSound): void {
    this.emit('message', message)
  }
}

const linked = () => {
  const thread = new Thread()
  const latencies: number[] = []
  const deaths: string[] = []
  const replaced: string[] = []
  const show = { title: 'a show', playlists: [] }
  const link = new SoundLink({
    timers: new VirtualTimers(0),
    started: { worker: thread as unknown as Worker, failure: () => null },
    setup: {
      sink: 'null', device: null, bufferMs: null, show, dmxAllowed: true,
      time: createTimeMemory(), seed: 1, record: false,
    },
    show,
    around: () => ({
      version: 'test', showError: null, uptimeMs: 0, dmxEnabled: true, universes: 0,
      lights: { state: 'off', message: null }, log: { state: 'ok', message: null, lost: 0 },
    }),
    died: ({ message }) => deaths.push(message),
    recorded: () => undefined,
    fileReplaced: (path) => replaced.push(path),
    changed: (player) => latencies.push(player.figures.latencyFrames),
  })
  return { thread, link, latencies, deaths, replaced }
}

const figures = (latencyFrames: number): FromSound => ({
  kind: 'figures', figures: { sink: 'speaker', latencyFrames, underruns: 0, armedHeads: 0 },
})

it('a latency that changes while nothing else happens is told: lights go by it', () => {
  const { thread, link, latencies } = linked()
  thread.say({ kind: 'news', changes: [], events: [], replies: [], inputs: [] })
  thread.say(figures(960))
  expect(link.player.status().audio.latencyMs).toBe(20)
  thread.say(figures(1_920))
  expect(latencies).toEqual([0, 960, 1_920])
})

it('a thread that ends by itself is told, one that was stopped is not', async () => {
  const { thread, deaths } = linked()
  thread.emit('exit')
  expect(deaths).toEqual(['the sound thread ended'])
  const other = linked()
  const stopped = other.link.stop()
  expect(other.thread.told.at(-1)).toEqual({ kind: 'stop' })
  other.thread.say({ kind: 'stopped' })
  other.thread.emit('exit')
  await stopped
  expect(other.deaths).toEqual([])
})

it('a file that was replaced is told on, so that it is looked into again', () => {
  const { thread, replaced } = linked()
  thread.say({ kind: 'file_replaced', path: '/media/bed.wav' })
  expect(replaced).toEqual(['/media/bed.wav'])
})
