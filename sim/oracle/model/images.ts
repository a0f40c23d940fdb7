// The reference model of images: one is shown, or none (D3).
import { IMAGES } from '../../world/engine-observer.js'
import type { ModelLights } from './lights.js'
import type { ModelButton } from './shapes.js'
import type { ModelState } from './state.js'

export class ModelImages {
  constructor(private readonly state: ModelState, private readonly lights: ModelLights) {}

  turn(button: ModelButton | null): void {
    const { image: before, judge, now, observer } = this.state
    if (before === null && button === null) return
    if (button === null) this.lights.end(before!.id)
    this.state.image = button
    const heard = observer.images.take(IMAGES)
    const id = button?.id ?? before!.id
    const fits = heard?.at === now && heard.buttonId === id && heard.shown === (button !== null)
    judge.hold('D3/image', fits, () =>
      `the image should turn ${button === null ? 'off' : 'on'}`)
  }
}
