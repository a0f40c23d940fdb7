// Drawings (SVG) that a browser does not show, or not all of, as `cartwall check` tells of them.
import { expect, it } from 'vitest'
import { CUT_OFF, svgFault } from '../../../src/io/media/svg-fault.js'

const svg = (root: string, within = 'art'): string =>
  `<?xml version="1.0"?>\n<svg ${root}><g>${within}</g></svg>\n`
const drawing = (within: string): string => svg('xmlns="http://www.w3.org/2000/svg"', within)

it('an SVG as it is copied out of a web page names no namespace, and is not shown', () => {
  expect(svgFault(svg('viewBox="0 0 9 9"')))
    .toMatch(/^has no xmlns="http:\/\/www\.w3\.org\/2000\/svg" in its svg tag/)
  expect(svgFault('<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>')).toBeNull()
  // As Illustrator writes it.
  const named = '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>'
  expect(svgFault(named + svg('xmlns="&ns_svg;"'))).toBeNull()
})

it.each([
  ['<image width="9" xlink:href="photo.jpg" />', 'photo.jpg'],
  ['<svg:image\n  href=\'../fotos/m\u00c3\u00bcller.png\'/>', '../fotos/m\u00fcller.png'],
  ['<image xlink:href="data:image/png;base64,AA=="/><image href="https://a.b/c.png"/>',
    'https://a.b/c.png'],
  ['<use xlink:href="#own"/><use href="icons.svg#star"></use>', 'icons.svg#star'],
  [`<image href="${'a'.repeat(90)}"/>`, 'a'.repeat(80)],
])('a drawing with %s does not have all of its picture within it', (within, name) => {
  expect(svgFault(drawing(within))).toBe(
    `draws ${name}, a file of its own, which browsers do not load for an image: embed it`)
})

it.each([
  '<image href="data:image/png;base64,iVBO\nRw0K" xlink:href="photo.jpg"/>',
  '<image sodipodi:absref="/a/photo.jpg" xlink:href=" data:image/jpeg;base64,AA"/>',
  '<use href="#a"/><a href="https://a.b"><g/></a><image/><images href="b.png"/>',
  '<!-- <image href="a.png"/> --><!-- <image href="b.png"/>',
])('a drawing with %s has', (within) => {
  expect(svgFault(drawing(within))).toBeNull()
})

it.each([
  ['<text>Tom & Jerry</text>', '&', '&amp;'],
  ['<a href="?a=1&b=2"/>', '&b', '&amp;'],
  ['<text>one&nbsp;two</text>', '&nbsp;', 'the sign itself'],
  ['<text>&#38; &AMP;</text>', '&AMP;', 'the sign itself'],
  ['<text>R&D; &#x26;</text>', '&D;', 'the sign itself'],
])('a drawing with %s is no XML, so that none of it is shown', (within, found, written) => {
  expect(svgFault(drawing(within)))
    .toBe(`has ${found} in it, by which browsers show none of it: write ${written}`)
})

it.each([
  '<text>&amp;&lt;&gt;&quot;&apos;&#38;&#x26;&#xAf;</text>', '<!-- Tom & Jerry -->',
  '<style><![CDATA[a & b]]></style>',
])('a drawing with %s is XML', (within) => {
  expect(svgFault(drawing(within))).toBeNull()
})

it('what stands before a drawing, e.g. the address of a style, may have any signs', () => {
  const style = '<?xml-stylesheet href="https://a.b/css?family=A&family=B"?>'
  expect(svgFault(style + drawing('art'))).toBeNull()
})

it('a drawing of a megabyte of tags that never end is told in no time', () => {
  expect(svgFault('<!-- -->' + '<svg '.repeat(200_000))).toBe(CUT_OFF)
  for (const piece of ['<image ', '<!-- ', '<image xlink:href="#a" ', '<use href=" ']) {
    expect(svgFault(drawing(piece.repeat(100_000)))).toBeNull()
  }
}, 5_000)
