// Draws the title of the demo show: a sign of neon tubes, by pixels, so that no font is needed.

const STEPS = 72

/** A piece of an ellipse as points; angles in turns, clockwise from the right. */
const arc = (x, y, wide, high, from, to) =>
  Array.from({ length: STEPS + 1 }, (_, n) => {
    const angle = 2 * Math.PI * (from + ((to - from) * n) / STEPS)
    return [x + wide * Math.cos(angle), y + high * Math.sin(angle)]
  })

/** Letters as tubes: points from 0 at the left and the top to 1 below, and how wide they are. */
const LETTERS = {
  Q: { wide: 0.9, tubes: [arc(0.45, 0.5, 0.45, 0.5, 0, 1), [[0.55, 0.68], [0.9, 1.02]]] },
  U: { wide: 0.75, tubes: [[[0, 0], ...arc(0.375, 0.62, 0.375, 0.38, 0.5, 0), [0.75, 0]]] },
  I: { wide: 0, tubes: [[[0, 0], [0, 1]]] },
  Z: { wide: 0.72, tubes: [[[0, 0], [0.72, 0], [0, 1], [0.72, 1]]] },
  N: { wide: 0.7, tubes: [[[0, 1], [0, 0], [0.7, 1], [0.7, 0]]] },
  G: { wide: 0.8, tubes: [[...arc(0.45, 0.5, 0.45, 0.5, 0.9, 0.1), [0.81, 0.52], [0.5, 0.52]]] },
  H: { wide: 0.7, tubes: [[[0, 0], [0, 1]], [[0.7, 0], [0.7, 1]], [[0, 0.5], [0.7, 0.5]]] },
  T: { wide: 0.76, tubes: [[[0, 0], [0.76, 0]], [[0.38, 0], [0.38, 1]]] },
}
const BETWEEN = 0.32

/** The tubes of a word in pixels, its middle at `x`. */
const wordTubes = (word, x, top, size) => {
  const letters = [...word].map((letter) => LETTERS[letter])
  const whole = letters.reduce((sum, { wide }) => sum + wide + BETWEEN, -BETWEEN)
  let left = x - (whole * size) / 2
  return letters.flatMap(({ wide, tubes }) => {
    const from = left
    left += (wide + BETWEEN) * size
    return tubes.map((tube) => tube.map(([px, py]) => [from + px * size, top + py * size]))
  })
}

const frame = (left, top, right, bottom, round) => [[
  ...arc(right - round, bottom - round, round, round, 0, 0.25),
  ...arc(left + round, bottom - round, round, round, 0.25, 0.5),
  ...arc(left + round, top + round, round, round, 0.5, 0.75),
  ...arc(right - round, top + round, round, round, 0.75, 1),
  [right, bottom - round],
]]

/** From a point to the piece of a tube between two others. */
const distanceTo = ([ax, ay], [bx, by], x, y) => {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length
  const at = Math.min(1, Math.max(0, along))
  return Math.hypot(x - ax - dx * at, y - ay - dy * at)
}

const nearest = (tubes, x, y) => {
  let least = Infinity
  for (const tube of tubes) {
    for (let n = 1; n < tube.length; n += 1) {
      least = Math.min(least, distanceTo(tube[n - 1], tube[n], x, y))
    }
  }
  return least
}

/** What a tube adds to a pixel: its colour near it, white in its middle. */
const light = (away, thick, colour) => {
  const glow = 0.5 * Math.exp(-away / (thick * 1.6)) + 0.22 * Math.exp(-away / (thick * 8))
  const tube = Math.min(1, Math.max(0, thick - away + 0.5))
  const core = Math.min(1, Math.max(0, (thick * 0.45 - away) / (thick * 0.3)))
  return colour.map((part) => part * (glow + 0.75 * tube) + 235 * core * tube)
}

/** RGB of `width` by `height`: "QUIZ NIGHT" before `ground`, a picture of that size. */
export const neonTitle = (width, height, ground) => {
  const unit = height / 720
  const middle = width / 2
  const signs = [
    { tubes: wordTubes('QUIZ', middle, 170 * unit, 220 * unit), thick: 11, colour: [255, 64, 128] },
    { tubes: wordTubes('NIGHT', middle, 450 * unit, 110 * unit), thick: 7, colour: [255, 200, 60] },
    {
      tubes: frame(middle - 480 * unit, 90 * unit, middle + 480 * unit, 640 * unit, 60 * unit),
      thick: 5, colour: [40, 200, 230],
    },
  ]
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3
      const sum = [0, 1, 2].map((part) => ground[at + part] * 0.3)
      for (const { tubes, thick, colour } of signs) {
        const lit = light(nearest(tubes, x + 0.5, y + 0.5), thick * unit, colour)
        lit.forEach((part, n) => { sum[n] += part })
      }
      sum.forEach((part, n) => { pixels[at + n] = Math.min(255, Math.round(part)) })
    }
  }
  return pixels
}
