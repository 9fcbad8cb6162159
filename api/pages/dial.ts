import { Html } from './html.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A drawing of the year as a dial: days, months and quarters, January at the top. Decoration, in the colour of the text. */
export function dial(): Html {
  const ticks = Array.from({ length: 365 }, (_, day) => {
    const length = day % 73 === 0 ? 9 : day % 5 === 0 ? 5 : 3
    return line(day / 365, 118 - length, 118)
  })
  const names = months.map((month, i) => {
    const turn = (i + 0.5) * 30
    return `<text transform="rotate(${turn}) translate(0 -95)" text-anchor="middle">${month}</text>${line(i / 12, 84, 108)}`
  })
  const quarters = ['I', 'II', 'III', 'IV'].map((quarter, i) => {
    const turn = i * 90 + 45
    return `<text class="quarter" transform="rotate(${turn}) translate(0 -58)" text-anchor="middle">${quarter}</text>${line(i / 4, 40, 84)}`
  })
  const circles = [118, 108, 84, 40].map((radius) => `<circle r="${radius}"/>`)
  const rays = Array.from({ length: 16 }, (_, i) => line(i / 16, 17, i % 2 === 0 ? 36 : 27))
  return new Html(
    `<svg class="dial" viewBox="-122 -122 244 244" aria-hidden="true">${circles.join('')}${ticks.join('')}${names.join('')}${quarters.join('')}<circle class="sun" r="13"/>${rays.join('')}</svg>`,
  )
}

/** A stroke along the radius. `turn` is its angle in whole circles. */
function line(turn: number, from: number, to: number): string {
  const [x, y] = [Math.sin(turn * 2 * Math.PI), -Math.cos(turn * 2 * Math.PI)]
  const at = (radius: number) => [x * radius, y * radius].map((coordinate) => coordinate.toFixed(2))
  const [x1, y1] = at(from)
  const [x2, y2] = at(to)
  return `<path d="M${x1} ${y1}L${x2} ${y2}"/>`
}
