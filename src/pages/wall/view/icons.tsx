// The wall's signs: each tells a state or a kind by its shape, in the colour of the text.
import type { JSX } from 'preact'

const CROSS =
  'M5.5 4L12 10.5 18.5 4 20 5.5 13.5 12l6.5 6.5-1.5 1.5L12 13.5 5.5 20 4 18.5 10.5 12 4 5.5z'
const LAMP = 'M12 2a6 6 0 0 1 4 10.5V16H8v-3.5A6 6 0 0 1 12 2zM8 18h8v2H8zM10 21h4v2h-4z'
const PICTURE = 'M3 4h18v16H3zM5 6v12h14V6zM7 16l3-4 2 2 3-5 3 7z'
const DOTS = 'M4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4z'

const PATHS = {
  playing: 'M7 4v16l13-8z',
  paused: 'M6 4h4v16H6zM14 4h4v16h-4z',
  fading_out: 'M4 5l9 9V8h3v11H5v-3h6L2 7z',
  starting: DOTS,
  shown: PICTURE,
  lit: LAMP,
  missing: 'M12 2l11 19H1zM11 9v6h2V9zM11 16.5v2h2v-2z',
  audio:
    'M3 9h4l6-5v16l-6-5H3zM15.5 8.5a5 5 0 0 1 0 7l-1.2-1.3a3 3 0 0 0 0-4.4zM18 6'
    + 'a8 8 0 0 1 0 12l-1.2-1.3a6 6 0 0 0 0-9.4z',
  video: 'M3 5h13v14H3zM17 10l5-3v10l-5-3z',
  image: PICTURE,
  dmx: LAMP,
  navigation: 'M4 11h11l-4-4 1.5-1.5L19 12l-6.5 6.5L11 17l4-4H4z',
  padlock: 'M7 10V7a5 5 0 0 1 10 0v3h2v11H5V10zM9 10h6V7a3 3 0 0 0-6 0z',
  menu: DOTS,
  search:
    'M10 3a7 7 0 0 1 5.6 11.2L21 19.6 19.6 21l-5.4-5.4A7 7 0 1 1 10 3zM10 5'
    + 'a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
  lights: LAMP,
  stages: 'M2 4h20v13H2zM4 6v9h16V6zM8 19h8v2H8z',
  keys: 'M2 6h20v12H2zM4 8v8h16V8zM6 10h2v1.5H6zM10 10h2v1.5h-2zM14 10h2v1.5h-2zM7 13h10v1.5H7z',
  settings: 'M3 6h10v2H3zM17 6h4v2h-4zM13 4h4v6h-4zM3 16h4v2H3zM11 16h10v2H11zM7 14h4v6H7z',
  close: CROSS,
  previous: 'M15 4l2 2-6 6 6 6-2 2-8-8z',
  next: 'M9 4L7 6l6 6-6 6 2 2 8-8z',
  stop: 'M5 5h14v14H5z',
  live: 'M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14z',
  late:
    'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM11 7h2v5'
    + 'l4 2-1 2-5-3z',
  lost: CROSS,
} as const
export type Sign = keyof typeof PATHS

export const Icon = ({ sign }: { readonly sign: Sign }): JSX.Element => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[sign]} fill-rule="evenodd" />
  </svg>
)
