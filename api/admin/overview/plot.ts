import { type Html, html } from '../../pages/html.ts'
import type { Line } from './overview.ts'
import { GAP_MS, SAMPLE_MS, SAMPLES, type SampleValues } from './sample-ring.ts'

const WIDTH = 240
const HEIGHT = 36
/** Space above and below for the width of a line. */
const MARGIN = 2
const HOUR_MS = SAMPLE_MS * SAMPLES
/** Samples that are drawn as one point, the greatest of them, so that no peak is lost. */
const A_POINT = 3

/** Points of a line, in runs: between two runs is a gap. */
type Point = { readonly time: number; readonly value: number }

/** Joins neighbouring samples. A sample without a value, and a time without a sample, end a run. */
export function runsOf(times: readonly number[], values: SampleValues): Point[][] {
  const runs: Point[][] = []
  let before = Number.NEGATIVE_INFINITY
  for (let from = 0; from < times.length; from += A_POINT) {
    const known = times.slice(from, from + A_POINT).flatMap((time, i) => {
      const value = values[from + i]
      return value === undefined ? [] : [{ time, value }]
    })
    const [first, ...others] = known
    if (!first) continue
    const point = others.reduce((a, b) => (b.value > a.value ? b : a), first)
    if (first.time - before > GAP_MS) runs.push([])
    runs.at(-1)?.push(point)
    before = (known.at(-1) ?? first).time
  }
  return runs
}

/**
 * A small plot of the last hour, from 0 up to the greatest value. `name` says to a reader of the screen what it shows; `text`
 * is the greatest value in words.
 */
export function smallPlot(
  name: string,
  times: readonly number[],
  lines: readonly Line[],
  text: (value: number) => string,
): Html {
  const all = lines.map(({ values }) => runsOf(times, values))
  const peak = Math.max(0, ...all.flat(2).map(({ value }) => value))
  const end = times.at(-1) ?? 0
  const x = (time: number) => (WIDTH * (1 - (end - time) / HOUR_MS)).toFixed(1)
  const y = (value: number) => (HEIGHT - MARGIN - (peak === 0 ? 0 : (HEIGHT - 2 * MARGIN) * (value / peak))).toFixed(1)
  // A run of one point is drawn as a dot, by its round ends.
  const path = (run: readonly Point[]) =>
    `M${run.map(({ time, value }) => `${x(time)} ${y(value)}`).join('L')}${run.length === 1 ? 'h0' : ''}`
  const isEmpty = all.flat().length === 0
  const says = isEmpty ? 'no values yet' : peak === 0 ? 'always 0' : `at most ${text(peak)}`
  return html`<span class="plot"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${name} in the last hour: ${says}"><path class="zero" d="M0 ${y(0)}H${WIDTH}"/>${all.map(
    (runs, i) => html`<path class="line-${i}" d="${runs.map(path).join('')}"/>`,
  )}</svg><small>${says}</small></span>`
}
