// The licences of the packages that are joined into what is shipped: they ask to be handed on.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A plugin that puts into `packages` the folder of each package that something came from. */
export const notedIn = (packages) => ({
  name: 'packages-noted',
  generateBundle: (_options, bundle) => {
    for (const { moduleIds = [] } of Object.values(bundle)) {
      for (const id of moduleIds) {
        const [path] = /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []
        if (path !== undefined) packages.add(path)
      }
    }
  },
})

const licenceOf = (path) => {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one))
  const text = file === undefined ? '' : readFileSync(join(path, file), 'utf8').trim()
  return `${name} ${version} (${license})\n\n${text}\n`
}

/** All of them in one text, and behind them `further` texts. */
export const licencesText = (packages, further = []) =>
  [...[...packages].sort().map(licenceOf), ...further].join('\n---\n\n')
