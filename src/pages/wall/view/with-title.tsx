// A line with a title in it: where it is too long the title is cut off, at its own end.
import type { JSX } from 'preact'
import { nameOf } from '../words.js'

export const WithTitle = (
  { before, title, after = '' }: {
    readonly before: string
    readonly title: string
    readonly after?: string
  },
): JSX.Element => (
  <span class="with-title">
    {before}<span class="title-within" dir="auto">{nameOf(title)}</span>{after}
  </span>
)
