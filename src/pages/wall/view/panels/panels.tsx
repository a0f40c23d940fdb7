// The panels that open from the header: lights, stages, keys, settings, search.
import type { JSX } from 'preact'
import { WORDS } from '../../words.js'
import { KeysPanel } from './keys-panel.js'
import { LightsPanel } from './lights-panel.js'
import { useWall } from '../model-context.js'
import { PanelFrame } from './panel-frame.js'
import { SearchPanel } from './search-panel.js'
import { SettingsPanel } from './settings-panel.js'
import { StagesPanel } from './stages-panel.js'

const PANELS = {
  lights: LightsPanel,
  stages: StagesPanel,
  keys: KeysPanel,
  settings: SettingsPanel,
  search: SearchPanel,
} as const

export const Panels = (): JSX.Element | null => {
  const { open } = useWall()
  const { value } = open
  if (value?.kind !== 'panel') return null
  const Content = PANELS[value.panel]
  return (
    <PanelFrame title={WORDS[value.panel]} key={value.panel}>
      <Content />
    </PanelFrame>
  )
}
