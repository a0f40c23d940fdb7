// The reference model of images: one is shown, or none (D3).
import { IMAGES } from '../../world/engine-observer.js'
import type { ModelLights } from './lights.js'
import type { ModelButton } from './shapes.js'
import type { ModelState } from './state.js'

export class ModelImages {
  constructor(private readonly state: ModelState, private readonly lights: ModelLights) {}

  turn(button: ModelButton | null): void {
    const { image: before, observer } = this.state
    if (before === null && button === null) return
    if (button === null) this.lights.end(before!.id)
    this.state.image = button
    const { id } = button ?? before!
    const meant = { kind: 'image', buttonId: id, shown: button !== null }
    this.state.expectTold('D3/image', observer.images.take(IMAGES), meant)
  }
}
