// Which file the media of a button is: of the run that is on, of the show, or of an image that is
// on though its button left it.
import type { RemotePlayer } from '../sound/remote-player.js'

export class ShownMedia {
  /** The image that was shown last, with its file in the last show that had its button. */
  #image: { readonly buttonId: string; readonly media: string } | null = null

  constructor(
    private readonly player: Pick<RemotePlayer, 'catalogue' | 'readModel' | 'subscribe'>,
  ) {
    player.subscribe((event) => {
      if (event.kind === 'image' && event.shown) this.#shown(event.buttonId)
    })
  }

  of(buttonId: string): string | null {
    // A run plays on with the file that it was started with (decisions 3), whatever the show names.
    const run = this.player.readModel.liveOf(buttonId)
    if (run !== null) return run.path
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
