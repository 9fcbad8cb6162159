// Draws revisions as SVG: reads the CSV columns period, released_on and value, writes each value against the first one.
import { text } from 'node:stream/consumers'

const [WIDTH, HEIGHT, LEFT, TOP] = [960, 420, 56, 40]
const prints = new Map()
for (const line of (await text(process.stdin)).split(/\r?\n/)) {
  const [period, released, value] = line.replaceAll('"', '').split(',')
  // A withdrawal has no value: an empty field, or \N.
  if (!/^\d{4}/.test(period) || !/^-?\d/.test(value)) continue
  if (!prints.has(period)) prints.set(period, [])
  prints.get(period).push({ released, value: Number(value) })
}
const quarters = [...prints].sort(([a], [b]) => (a < b ? -1 : 1))
if (quarters.length === 0) throw new Error('no rows: the input must have the columns period, released_on and value')

const points = quarters.flatMap(([, values], column) => {
  const ordered = values.toSorted((a, b) => (a.released < b.released ? -1 : 1))
  // Equal values that follow each other are one print: the date of the second was corrected, or it was read late.
  const [first, ...later] = ordered.filter(({ value }, i) => value !== ordered[i - 1]?.value)
  return later.map(({ value }, index) => ({ column, index, percent: (value / first.value - 1) * 100 }))
})
const [low, high] = [Math.min(0, ...points.map((p) => p.percent)), Math.max(1, ...points.map((p) => p.percent))]
const x = (column) => Math.round(LEFT + (column * (WIDTH - LEFT - 16)) / quarters.length)
const y = (percent) => Math.round(TOP + ((high - percent) * (HEIGHT - TOP - 36)) / (high - low))

const label = (left, top, words, anchor = 'end') =>
  `<text x="${left}" y="${top}" text-anchor="${anchor}">${words}</text>`
const grid = Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, n) => Math.ceil(low) + n).map(
  (percent) =>
    `<path d="M${LEFT} ${y(percent)}H${WIDTH - 16}" stroke="#ddd"/>${label(LEFT - 8, y(percent) + 4, `${percent} %`)}`,
)
const years = quarters.flatMap(([period], column) => {
  const isMarked = Number(period.slice(0, 4)) % 4 === 0 && quarters[column - 1]?.[0].slice(0, 4) !== period.slice(0, 4)
  return isMarked ? [label(x(column), HEIGHT - 12, period.slice(0, 4), 'middle')] : []
})
const colours = ['#9ecae1', '#4292c6', '#2171b5', '#08519c', '#08306b']
const dots = colours.map((colour, shade) => {
  const path = points.filter(({ index }) => Math.min(index, colours.length - 1) === shade)
  return `<path d="${path.map(({ column, percent }) => `M${x(column)} ${y(percent)}h0`).join('')}" stroke="${colour}"/>`
})
console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<title>Revisions by period: each later value against the first one</title>
<rect width="100%" height="100%" fill="#fff"/>
${label(LEFT, 22, 'Each later value against the first print, in percent. Darker: later', 'start')}
${[...grid, ...years].join('\n')}
<g stroke-width="5" stroke-linecap="round">${dots.join('\n')}</g>
</svg>`)
