// What keeps a browser from showing an SVG, or all of it, that can be told by its text.
import { cutText } from '../../contract/cut-text.js'

export const CUT_OFF = 'is cut off: copy it, or save it, anew'
const NO_NAMESPACE = 'has no xmlns="http://www.w3.org/2000/svg" in its svg tag, '
  + 'without which browsers do not show it'

// No `<` stands in a tag: without that, a megabyte of `<svg ` took hours.
const ROOT = /<(?:[\w.-]+:)?svg\b[^<>]*>/i

/** `text`: all of an SVG, as latin1. A browser reads it to its end before it draws any of it. */
export const svgFault = (text: string): string | null => {
  const root = ROOT.exec(text)?.[0]
  if (root === undefined) return CUT_OFF
  if (!root.includes('xmlns')) return NO_NAMESPACE
  const isWhole = root.endsWith('/>') || /<\/(?:[\w.-]+:)?svg\s*>/i.test(text)
  if (!isWhole) return CUT_OFF
  const drawn = withoutComments(text)
  return entityFault(drawn) ?? linkedFault(drawn)
}

const UNKNOWN_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)[\w#]{0,9};?/

/**
 * E.g. the name of a team, `Tom & Jerry`, as a program writes it into a table of scores, or
 * `&nbsp;` out of a web page: an error of XML, at which a browser gives all of the drawing up.
 */
const entityFault = (text: string): string | null => {
  // There an & is one, or the drawing has names of its own, as Illustrator writes them.
  if (/<!\[CDATA\[|<!DOCTYPE/.test(text)) return null
  const found = UNKNOWN_ENTITY.exec(text.slice(text.search(ROOT)))?.[0]
  if (found === undefined) return null
  const written = found.length > 1 && found.endsWith(';') ? 'the sign itself' : '&amp;'
  return `has ${found} in it, by which browsers show none of it: write ${written}`
}

/** What draws another file, e.g. as Inkscape has it where a photo is imported as a link. */
const LINKING = /<(?:[\w.-]+:)?(?:image|feImage|use)\s[^<>]*/g
const NAMED = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/
const LINK = /\s(?:xlink:)?href\s*=\s*(?:"([^"]*)"|'([^']*)')/
/** What is in the drawing itself. */
const WITHIN = /^\s*(?:data:|#|$)/i
const NAME_CHARACTERS = 80

/** Where the picture is another file a browser leaves it out, or shows the sign of a lost one. */
const linkedFault = (text: string): string | null => {
  for (const [tag] of text.matchAll(LINKING)) {
    // With both, as programs write it for old readers, the one without a prefix counts.
    const [, double, single] = NAMED.exec(tag) ?? LINK.exec(tag) ?? []
    const named = double ?? single ?? ''
    if (WITHIN.test(named)) continue
    const name = Buffer.from(named, 'latin1').toString()
    return `draws ${cutText(name, NAME_CHARACTERS)}, a file of its own, `
      + 'which browsers do not load for an image: embed it'
  }
  return null
}

const withoutComments = (text: string): string =>
  text.split('<!--').map((part, n) => {
    const end = part.indexOf('-->')
    if (n === 0) return part
    return end < 0 ? '' : part.slice(end + 3)
  }).join('')
