// What a person sets on this wall, and its address as a picture that a tablet's camera reads.
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { encode } from 'uqr'
import { THEMES, type Settings } from '../../settings.js'
import { THEME_WORDS, WORDS } from '../../words.js'
import { useWall } from '../model-context.js'

const SWITCHES = ['letterKeys', 'actOnRelease'] as const

export const SettingsPanel = (): JSX.Element => {
  const { settings } = useWall()
  const set = (change: Partial<Settings>): void => {
    settings.value = { ...settings.value, ...change }
  }
  return (
    <>
      <fieldset class="themes">
        <legend>{WORDS.theme}</legend>
        {THEMES.map((theme) => (
          <label class="switch" key={theme}>
            <input type="radio" name="theme" checked={settings.value.theme === theme}
              onChange={() => set({ theme })} />
            {THEME_WORDS[theme]}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{WORDS.pressSwitch}</legend>
        {SWITCHES.map((name) => (
          <label class="switch" key={name}>
            <input type="checkbox" checked={settings.value[name]}
              onChange={(event) => set({ [name]: event.currentTarget.checked })} />
            {WORDS[name]}
          </label>
        ))}
      </fieldset>
      <Address address={`${location.origin}/`} />
    </>
  )
}

const QUIET = 4

/** Addresses that mean whatever machine asks: another one would find itself. */
const isOwn = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host.startsWith('127.')

const Address = ({ address }: { readonly address: string }): JSX.Element => {
  const { size, path } = useMemo(() => {
    const { data, size: modules } = encode(address, { border: 0 })
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])))
    return { size: modules + 2 * QUIET, path: squares.join('') }
  }, [address])
  return (
    <figure class="address">
      <figcaption>{WORDS.address}</figcaption>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={address}
        shape-rendering="crispEdges">
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p class="address-text">{address}</p>
      <p class="fact">{isOwn(location.hostname) ? WORDS.addressOwn : WORDS.addressHint}</p>
    </figure>
  )
}
