// What the daemon asks about files, of the decoding process, which belongs to the sound thread.
//
// It starts no process of its own for that: starting one copies the page tables of a process that
// holds all heads, and for as long no other thread of it gets memory. With 500 MB of them the sound
// thread stood still for 3 to 6 ms at each show.
import type { Inquiring } from '../io/media/decoder/decoder-messages.js'
import type { Look } from '../io/media/look/file-look.js'
import type { ProbeAnswer } from '../io/media/probe/probe-file.js'
import type { WaveAnswer, WaveLink } from '../io/waves/wave-messages.js'
import type { FileAnswer, FileQuestion, FromSound, ToSound } from './sound-messages.js'

export class FileInquiries implements Inquiring {
  readonly #open = new Map<number, (answer: FileAnswer) => void>()
  #ids = 0
  #holdsWaves = false
  readonly waves: WaveLink = {
    ask: (wave) => this.#ask<WaveAnswer>({ asks: 'wave', wave }),
    hold: (holds) => {
      if (holds !== this.#holdsWaves) this.send({ kind: 'waves', are: holds ? 'held' : 'free' })
      this.#holdsWaves = holds
    },
    rest: () => {
      this.send({ kind: 'waves', are: 'made' })
    },
  }

  constructor(private readonly send: (message: ToSound) => void) {}

  look(path: string): Promise<Look> {
    return this.#ask<Look>({ asks: 'look', path })
  }

  probe(path: string): Promise<ProbeAnswer> {
    return this.#ask<ProbeAnswer>({ asks: 'probe', path })
  }

  heard({ id, answer }: Extract<FromSound, { kind: 'file_answer' }>): void {
    this.#open.get(id)?.(answer)
    this.#open.delete(id)
  }

  #ask<Answer extends FileAnswer>(question: FileQuestion): Promise<Answer> {
    const id = (this.#ids += 1)
    return new Promise((settle) => {
      this.#open.set(id, settle as (answer: FileAnswer) => void)
      this.send({ kind: 'file_question', id, question })
    })
  }
}
