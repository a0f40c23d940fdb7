// The whole wall: its parts in the order in which Tab reaches them.
import type { JSX } from 'preact'
import { Banner, FootNotes } from './banner.js'
import { Grid } from './grid.js'
import { Header } from './header.js'
import { Menu } from './menu.js'
import { useWall } from './model-context.js'
import { NowPlaying } from './now-playing.js'
import { OptionsPanel } from './panels/options-panel.js'
import { PanicButton, PanicTold } from './panic-button.js'
import { Panels } from './panels/panels.js'
import { Playlists } from './playlists.js'

export const App = (): JSX.Element => {
  const model = useWall()
  return (
    <div class="wall" data-connection={model.connection.value}>
      <PanicButton />
      <Playlists />
      <Grid />
      <NowPlaying />
      <Header />
      <Panels />
      <OptionsPanel />
      <Menu />
      <Banner />
      <FootNotes />
      <PanicTold />
      <div class="visually-hidden" role="status" aria-live="polite">{model.announced.value}</div>
    </div>
  )
}
