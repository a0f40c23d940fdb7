// Draws the images of the demo show that are no pixels: SVG, sharp on every screen.

const WIDTH = 1280
const HEIGHT = 720
const COLOURS = ['#f25f5c', '#ffb347', '#ffe066', '#70c1b3', '#247ba0', '#9575cd']

/** The same pictures each time: a small linear generator. */
const random = (seed) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const page = (ground, shapes) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" `
  + `height="${HEIGHT}">\n<rect width="100%" height="100%" fill="${ground}"/>\n${shapes.join('\n')}`
  + '\n</svg>\n'

const text = (x, y, size, fill, words) =>
  `<text x="${x}" y="${y}" font-family="system-ui, sans-serif" font-weight="700" `
  + `font-size="${size}" fill="${fill}" text-anchor="middle">${words}</text>`

/** Rays behind a question mark that is drawn, so that it looks the same everywhere. */
export const question = () => {
  const rays = []
  for (let n = 0; n < 24; n += 1) {
    const from = (n * Math.PI) / 12
    const to = from + Math.PI / 24
    const at = (angle) =>
      `${(640 + 900 * Math.cos(angle)).toFixed(1)},${(330 + 900 * Math.sin(angle)).toFixed(1)}`
    rays.push(`<polygon points="640,330 ${at(from)} ${at(to)}" fill="#1d3557" opacity="0.55"/>`)
  }
  const mark = '<path d="M530 250 C530 110 750 110 750 250 C750 350 640 340 640 430" fill="none" '
    + 'stroke="#ffe066" stroke-width="64" stroke-linecap="round"/>'
    + '<circle cx="640" cy="525" r="40" fill="#ffe066"/>'
  return page('#12233d', [...rays, mark, text(640, 665, 64, '#f1faee', 'Which song is this?')])
}

/** Confetti over the winner's card. */
export const winner = () => {
  const next = random(7)
  const pieces = []
  for (let n = 0; n < 260; n += 1) {
    const x = Math.round(next() * WIDTH)
    const y = Math.round(next() * HEIGHT)
    const turn = Math.round(next() * 360)
    const long = 10 + Math.round(next() * 18)
    const colour = COLOURS[Math.floor(next() * COLOURS.length)]
    pieces.push(`<rect x="${x}" y="${y}" width="${long}" height="8" rx="2" fill="${colour}" `
      + `transform="rotate(${turn} ${x} ${y})"/>`)
  }
  const card = '<rect x="290" y="210" width="700" height="300" rx="36" fill="#12141c"/>'
  return page('#241436', [
    ...pieces, card, text(640, 345, 96, '#ffe066', 'Table 7'),
    text(640, 440, 52, '#f1faee', 'wins the evening'),
  ])
}
