import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { style } from '../../api/pages/page.ts'
import { assets, modulePaths, stylePaths } from '../../console/assets.ts'
import { openBrowser } from '../support/browser.ts'
import type { Measure } from './measure.ts'

const VINTAGES = 400
const PERIODS = 300
const ROUNDS = 50
/** How long a drawing may take before a hand on a slider feels it. */
const GOAL_MS = 50

/**
 * The revision triangle of a series in which every vintage revises every period: the most that there can be. Made-up figures
 * of a country that there is not. Each drawing is read back, so that the browser cannot put it off.
 */
const program = (address: (name: string) => string) => `
  import { triangle } from '${address('triangle.js')}'
  import { revisionMatrix, typicalDistance, valuesOn, vintagesOf } from '${address('vintages.js')}'
  import { plot } from '${address('plot.js')}'
  const day = (i) => new Date(Date.UTC(1990, 0, 1 + i * 30)).toISOString().slice(0, 10)
  const month = (i) => (1990 + Math.floor(i / 12)) + '-' + String(i % 12 + 1).padStart(2, '0')
  const rows = []
  for (let p = 0; p < ${PERIODS}; p++)
    for (let v = p; v < ${VINTAGES}; v++)
      rows.push({ period: month(p), valid_from: day(v), value: String(1000 + p + Math.sin(v * p) * 20) })
  const canvas = document.querySelector('canvas')
  const timed = (work) => Array.from({ length: ${ROUNDS} }, (_, i) => {
    const began = performance.now()
    work(i)
    return performance.now() - began
  })
  const seen = () => canvas.getContext('2d').getImageData(0, 0, 1, 1).data[0]
  const vintages = vintagesOf(rows)
  const matrix = revisionMatrix(vintages, false)
  const drawn = triangle(canvas, vintages, matrix, typicalDistance(matrix))
  const cursor = timed((i) => { drawn.draw(i, i); seen() })
  const theme = timed((i) => { drawn.recolour(); drawn.draw(i, i); seen() })
  const data = timed((i) => {
    const own = vintagesOf(rows)
    const cells = revisionMatrix(own, false)
    triangle(canvas, own, cells, typicalDistance(cells)).draw(i, i)
    seen()
  })
  const series = (at) => [{ kind: 'main', values: valuesOn(vintages, day(at)).map((v) => v === null ? null : Number(v)) }]
  const line = plot({
    model: { title: '', unit: '', note: '', xs: vintages.periods.map((_, i) => i * 2592000), xNames: vintages.periods, series: series(399) },
    readout: () => '',
    signal: new AbortController().signal,
  })
  document.body.append(line.element)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const slider = []
  for (let i = 0; i < ${ROUNDS}; i++) {
    const began = performance.now()
    line.redraw(series(399 - i))
    // The library draws in a microtask.
    await undefined
    await undefined
    document.querySelector('.plot canvas').getContext('2d').getImageData(0, 0, 1, 1)
    slider.push(performance.now() - began)
  }
  globalThis.done({ cursor, theme, data, slider })`

export async function bench(): Promise<readonly Measure[]> {
  const address = (name: string) => modulePaths.find((path) => path.endsWith(`/${name}`)) ?? name
  const files = new Map(assets.map(({ path, body, contentType }) => [path, { body, contentType }]))
  const links = stylePaths.map((path) => `<link rel="stylesheet" href="${path}">`).join('')
  const page = `<!doctype html><style>${style}</style>${links}<canvas class="triangle"></canvas>
<script>globalThis.result = new Promise((resolve) => { globalThis.done = resolve })</script><script type="module">${program(address)}</script>`
  const server = createServer(({ url = '' }, response) => {
    const { body, contentType } = files.get(url) ?? { body: page, contentType: 'text/html; charset=utf-8' }
    response.setHeader('content-type', contentType)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await openBrowser()
  try {
    const tab = await browser.newTab()
    await tab.view({ width: 1_440, height: 900 })
    await tab.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const times = await tab.evaluate<Record<'cursor' | 'theme' | 'data' | 'slider', number[]>>('result')
    const row = (name: string, all: readonly number[], aim: Pick<Measure, 'goal'> = { goal: 1 }): Measure[] => {
      const sorted = all.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
      return [
        { name: `${name}, median`, ours: at(0.5), ceiling: GOAL_MS, unit: 'ms', ...aim },
        { name: `${name}, worst`, ours: at(1), ceiling: GOAL_MS, unit: 'ms', ...aim },
      ]
    }
    return [
      ...row('triangle, cursor moved', times.cursor),
      ...row('triangle, other colours', times.theme),
      // Once for a series, when it is opened: no goal.
      ...row('triangle, from its prints', times.data, {}),
      ...row('plot, vintage moved', times.slider),
    ]
  } finally {
    await browser.close()
    server.close()
    server.closeAllConnections()
  }
}
