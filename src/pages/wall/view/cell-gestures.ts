// Gestures on a button of the grid: pointers press when they go down, or where that is set when
// they are let go, each by itself.
import type { ButtonHTMLAttributes } from 'preact'
import type { ShowButton } from '../../../contract/show-page.js'
import type { WallModel } from '../wall-model.js'

type Handlers = Pick<
  ButtonHTMLAttributes, 'onPointerDown' | 'onPointerUp' | 'onClick' | 'onContextMenu'
>

export const pressHandlers = (model: WallModel, button: ShowButton): Handlers => ({
  onPointerDown: (event) => {
    if (event.button !== 0 || isForMenu(event)) return
    const { pointerId, shiftKey } = event
    // A finger that is down captures what it came down on, e.g. the title within the button: let
    // go, so that where it comes up is told by what is there.
    const target = event.target as Element | null
    if (target?.hasPointerCapture(pointerId) === true) target.releasePointerCapture(pointerId)
    if (!model.settings.value.actOnRelease) model.presses.press(button, shiftKey)
    else model.presses.clicks.begunOn(button.id, pointerId)
  },
  onPointerUp: ({ pointerId, shiftKey }) => {
    // No click is waited for: browsers make none of a finger that trembles, nor beside another one.
    const { actOnRelease } = model.settings.value
    if (!actOnRelease || !model.presses.clicks.isLetGoOn(button.id, pointerId)) return
    model.presses.press(button, shiftKey)
  },
  onClick: (event) => {
    // Keys are read from the document; the click that a browser makes of them is no second press.
    if (!model.presses.clicks.isPress(event.timeStamp)) return
    model.presses.press(button, event.shiftKey)
  },
  onContextMenu: (event) => {
    event.preventDefault()
    // A finger that stays down asks for a menu in some browsers: long presses do nothing here.
    if (!isMouse(event)) return
    const from = event.currentTarget
    model.openMenu({ button, x: event.clientX, y: event.clientY, from })
  },
})

/** On a Mac a click with Ctrl is the right click of a mouse that has one button. */
const isForMenu = ({ ctrlKey, pointerType }: PointerEvent): boolean =>
  ctrlKey && pointerType === 'mouse' && navigator.userAgent.includes('Mac OS X')

const isMouse = (event: MouseEvent): boolean =>
  !('pointerType' in event) || event.pointerType === 'mouse' || event.pointerType === ''
