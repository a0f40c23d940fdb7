// Which file the media of a button is: of the run that is on, of the show, or of a button that left
// it while it is on.
import type { RemotePlayer } from '../sound/remote-player.js'

export class ShownMedia {
  /** The file of each live run as it was at its start (decisions 3), whatever the show names. */
  readonly #runs = new Map<string, string>()
  /** Files of buttons of the shows before, by button. */
  #before = new Map<string, string>()

  constructor(
    private readonly player: Pick<RemotePlayer, 'catalogue' | 'readModel' | 'subscribe'>,
  ) {
    player.subscribe((event) => {
      if (event.kind !== 'run') return
      const { executionId, buttonId, state, endReason } = event
      const media = this.player.catalogue.button(buttonId)?.media ?? null
      if (endReason !== null) this.#runs.delete(executionId)
      else if (state === 'starting' && media !== null) this.#runs.set(executionId, media)
    })
  }

  of(buttonId: string): string | null {
    const run = this.player.readModel.liveOf(buttonId)
    const started = run === null ? undefined : this.#runs.get(run.executionId)
    if (started !== undefined) return started
    const button = this.player.catalogue.button(buttonId)
    if (button !== null) return button.media
    return this.#isOn(buttonId) ? this.#before.get(buttonId) ?? null : null
  }

  /**
   * Another show takes the place of this one. What is on plays to its end (decisions 6), and its
   * picture with it: a stage reads the file again at the seam of a loop, or when it is reloaded.
   */
  showLeaves(): void {
    const before = [...this.#before].filter(([buttonId]) => this.#isOn(buttonId))
    this.#before = new Map(before)
    for (const { buttons } of this.player.catalogue.playlists) {
      for (const { id, media } of buttons) if (media !== null) this.#before.set(id, media)
    }
  }

  #isOn(buttonId: string): boolean {
    const { image } = this.player.readModel
    return image === buttonId || this.player.readModel.liveOf(buttonId) !== null
  }
}
