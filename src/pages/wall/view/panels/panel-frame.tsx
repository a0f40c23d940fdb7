// The frame of a panel: a sheet at the side of the wall, which covers neither panic nor header.
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { WORDS } from '../../words.js'
import { Icon } from '../icons.js'
import { useWall } from '../model-context.js'

/** @param heading the title as it is drawn, where that is more than a text. */
export const PanelFrame = (
  { title, heading = title, children }: {
    readonly title: string
    readonly heading?: ComponentChildren
    readonly children: ComponentChildren
  },
): JSX.Element => {
  const model = useWall()
  const panel = useRef<HTMLElement>(null)
  // At once: what is typed next is meant for the panel.
  useLayoutEffect(() => {
    const field = panel.current?.querySelector<HTMLElement>('input')
    const target = field ?? panel.current?.querySelector<HTMLElement>('.panel-close')
    target?.focus()
  }, [])
  return (
    <section class="panel" role="dialog" aria-label={title} ref={panel}>
      <div class="panel-head">
        <h2>{heading}</h2>
        <button type="button" class="panel-close" aria-label={WORDS.close}
          onClick={() => model.presses.isSecondHalf() || model.close()}>
          <Icon sign="close" />
        </button>
      </div>
      <div class="panel-body" tabIndex={0} role="group" aria-label={title}>{children}</div>
    </section>
  )
}
