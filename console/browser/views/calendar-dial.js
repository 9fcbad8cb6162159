/** @import { CalendarEntry } from '../bodies.d.ts' */
import { dayOfEntry } from '../calendar-days.js'
import { h, svg } from '../dom.js'

/**
 * The dial of the first page with a mark for every release at its day, and a hand for today.
 *
 * @param {readonly CalendarEntry[]} entries
 * @param {string} today
 */
export function yearDial(entries, today) {
  const dial = document.querySelector('#start .dial')?.cloneNode(true)
  if (!(dial instanceof SVGElement)) return h('p')
  const counts = Map.groupBy(entries, (entry) => `${dayOfEntry(entry)} ${entry.status}`)
  for (const [place, all] of counts) {
    const [day = '', status = ''] = place.split(' ')
    const [x, y] = onDial(day, 113)
    dial.append(
      svg('circle', { class: `mark ${status}`, cx: x, cy: y, r: Math.min(5, 1.4 + Math.sqrt(all.length) * 0.7) }),
    )
  }
  const [x, y] = onDial(today, 118)
  dial.append(svg('path', { class: 'hand', d: `M0 0L${x} ${y}` }))
  dial.classList.add('year')
  return dial
}

/**
 * @param {string} day
 * @param {number} radius
 */
function onDial(day, radius) {
  const year = Number(day.slice(0, 4))
  const share = (Date.parse(day) - Date.UTC(year, 0)) / (Date.UTC(year + 1, 0) - Date.UTC(year, 0))
  const turn = share * 2 * Math.PI
  return /** @type {const} */ ([(Math.sin(turn) * radius).toFixed(2), (-Math.cos(turn) * radius).toFixed(2)])
}

/** The dial as a file, with the colours that the style sheet gives it. */
export function dialFile() {
  const shown = document.querySelector('.view .dial')
  const dial = shown?.cloneNode(true)
  if (!(dial instanceof SVGElement) || !shown) return ''
  const own = [...shown.querySelectorAll('*')]
  for (const [i, element] of [...dial.querySelectorAll('*')].entries()) {
    const original = own[i]
    if (!original) continue
    const { fill, stroke, strokeWidth, fontFamily, fontSize, fontStyle } = getComputedStyle(original)
    const looks = {
      fill,
      stroke,
      'stroke-width': strokeWidth,
      'font-family': fontFamily,
      'font-size': fontSize,
      'font-style': fontStyle,
    }
    for (const [name, value] of Object.entries(looks)) element.setAttribute(name, value)
  }
  dial.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return dial.outerHTML
}
