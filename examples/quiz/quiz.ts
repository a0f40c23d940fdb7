// A quiz evening in small: beds between the questions, silence while one is asked, stings after it.
import { Background, CartwallError, type Client, type Wait } from 'cartwall/client'

export interface QuizSounds {
  /** Buttons that play behind the quiz, one after the other. */
  readonly beds: readonly string[]
  readonly right: string
  readonly wrong: string
}

export type Phase = 'before' | 'between' | 'asking' | 'answered' | 'over'

/** The sound of a quiz: what the host does on stage, and what is heard because of it. */
export class Quiz {
  phase: Phase = 'before'
  /** What the host should know, e.g. that a file is missing; null while all is well. */
  trouble: string | null = null
  readonly background: Background

  constructor(
    private readonly client: Client,
    private readonly sounds: QuizSounds,
    /** In place of real time, for tests. */
    wait?: Wait,
  ) {
    this.background = new Background(client, {
      beds: sounds.beds,
      wrap: true,
      wait,
      // The bed waits, instead of being lost, where somebody starts a button by hand in its place.
      runOptions: { pauseWhenReplaced: true },
      onChange: ({ state, reason }) => {
        this.trouble = state === 'halted' ? `the background stopped: ${reason}` : null
      },
    })
  }

  async begin(): Promise<void> {
    await this.background.start()
    this.phase = 'between'
  }

  /** The host begins to read: the bed goes, within two seconds. */
  async ask(): Promise<void> {
    await this.background.pause({ fadeOutMs: 2000 })
    this.phase = 'asking'
  }

  /** The team has answered: its sting, over silence. */
  async answer(isRight: boolean): Promise<void> {
    this.phase = 'answered'
    await this.#sting(isRight ? this.sounds.right : this.sounds.wrong)
  }

  /** On to the next question: the same bed goes on where it was. */
  async goOn(): Promise<void> {
    await this.background.resume({ fadeInMs: 1000 })
    this.phase = 'between'
  }

  async end(): Promise<void> {
    await this.background.stop({ fadeOutMs: 5000 })
    this.background.close()
    this.phase = 'over'
  }

  /** A sting that cannot be played must not stop the show; its button says why. */
  async #sting(buttonId: string): Promise<void> {
    try {
      await this.client.restart(buttonId, { externalSequencing: true, allowOverlap: true })
    } catch (error) {
      if (!(error instanceof CartwallError)) throw error
      this.trouble = error.status === 422 ? 'the sting’s file is missing' : error.message
    }
  }
}
