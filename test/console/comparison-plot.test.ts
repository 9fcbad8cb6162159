import { expect, it } from 'vitest'
import { readCompared } from '../../console/browser/compared.js'
import { comparison } from '../../console/browser/comparison.js'
import { comparisonModel } from '../../console/browser/comparison-plot.js'
import type { PanelColumn } from '../../console/browser/panel-table.js'
import { plotSvg } from '../../console/browser/plot-svg.js'
import { facts } from '../../console/facts.ts'

type Served = Parameters<typeof readCompared>[2]
// Cast: of an entry of the catalogue these members are read.
const series = [
  { country: 'USA', indicator: 'cpi', frequency: 'M', series: 'S1', source: 'BLS', publisher: 'Bureau', licence: '' },
  {
    country: 'USA',
    indicator: 'unemployment',
    frequency: 'M',
    series: 'S2',
    source: 'FRED',
    publisher: 'Fed',
    licence: '',
  },
] as unknown as Served
const { compared: shown } = readCompared('USA.cpi,USA.unemployment', facts, series, undefined)
const column = (name: string, unit: string, values: Record<string, string>, series_since = ''): PanelColumn => ({
  name,
  about: { unit, series_since },
  values: new Map(Object.entries(values)),
})
const cpi = column('USA.cpi', 'index', { '2026-01': '320', '2026-02': '321' }, '2026-01 S2 | 2026-02 S1')
const rate = column('USA.unemployment', 'percent', { '2026-01': '4', '2026-02': '5' })
const newest = comparison(shown, () => [cpi, rate])
const modelOf = (drawn: typeof newest, day?: string) =>
  comparisonModel({ shown, drawn, newest, series, units: undefined, day, address: '' }, facts)

it('a comparison is marked where another series goes on, and its file says so', () => {
  const model = modelOf(newest)
  expect(model.splices).toEqual([{ at: 1, name: 'cpi: BLS', colour: 0 }])
  expect(plotSvg(model)).toContain('>Dotted: another series from Feb 2026 (cpi: BLS) on.<')
})

it('what is known now is dashed on the axis of its unit, and not at all where that day had none', () => {
  const dashed = (drawn: typeof newest) =>
    modelOf(drawn, '2026-02-20')
      .series.filter(({ kind }) => kind === 'former')
      .map(({ values, axis }) => [axis, values])
  const both = comparison(shown, () => [cpi, rate])
  expect(dashed(both)).toEqual([
    [0, [320, 321]],
    [1, [4, 5]],
  ])
  expect(dashed(comparison(shown, () => [cpi]))).toEqual([
    [0, [320, 321]],
    [0, [null, null]],
  ])
})

it('a long title is smaller, so that the file has all of it', () => {
  const sizeOf = (title: string) =>
    Number(/font-size="(\d+)" fill="#211c15">T/.exec(plotSvg({ ...modelOf(newest), title }))?.[1])
  expect(sizeOf('T'.repeat(40))).toBe(20)
  expect(sizeOf('T'.repeat(120))).toBe(14)
  expect(sizeOf('T'.repeat(400))).toBe(11)
})
