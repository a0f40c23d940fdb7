// Which file the media of a button is: of the run that is on, of the show, or of an image that is
// on though its button left it.
import type { RemotePlayer } from '../sound/remote-player.js'

export class ShownMedia {
  /** The file of each live run as it was at its start (decisions 3), whatever the show names. */
  readonly #runs = new Map<string, string>()
  /** The image that was shown last, with its file in the last show that had its button. */
  #image: { readonly buttonId: string; readonly media: string } | null = null

  constructor(
    private readonly player: Pick<RemotePlayer, 'catalogue' | 'readModel' | 'subscribe'>,
  ) {
    player.subscribe((event) => {
      if (event.kind === 'image' && event.shown) this.#shown(event.buttonId)
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
    const isShown = this.player.readModel.image === buttonId
    return isShown && this.#image?.buttonId === buttonId ? this.#image.media : null
  }

  /**
   * Another show takes the place of this one. An image that is on stays on (decisions 6): a stage
   * that is loaded anew reads its file again.
   */
  showLeaves(): void {
    const { image } = this.player.readModel
    if (image !== null) this.#shown(image)
  }

  #shown(buttonId: string): void {
    const media = this.player.catalogue.button(buttonId)?.media ?? null
    if (media !== null) this.#image = { buttonId, media }
  }
}
