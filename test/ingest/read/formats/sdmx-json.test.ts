import { describe, expect, it } from 'vitest'
import { observationsOf, refusalOf } from './observations.ts'

/** Made messages: they show where SDMX-JSON states attributes and measures. No source is named that publishes figures. */

type Component = {
  readonly id: string
  readonly keyPosition?: number
  readonly default?: string
  readonly values?: readonly { readonly id: string }[]
}

const component = (id: string, codes: readonly string[], more: object = {}): Component => ({
  id,
  ...more,
  values: codes.map((code) => ({ id: code })),
})
const links = [{ rel: 'dataflow', urn: 'urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=TEST:FLOW(1.0)' }]
const areas = component('REF_AREA', ['DEU', 'FRA'], { keyPosition: 0 })
const frequency = component('FREQ', ['M'], { keyPosition: 1 })
/** Time may have no position. It is the last dimension then. */
const time = component('TIME_PERIOD', ['2024-01', '2024-02'])
const multiplier = component('UNIT_MULT', ['0', '6'])
const base = component('BASE_PER', ['2015', '2020'])

/** The dimension of the data set stands in the middle of the data structure, so that keys of groups show their order. */
const dimensions = {
  series: { dataSet: [frequency], series: [areas], observation: [time] },
  flat: { dataSet: [frequency], observation: [areas, time] },
}
const observations = { series: { '0': ['1'], '1': ['2'] }, flat: { '0:0': ['1'], '0:1': ['2'], '1:0': ['3'] } }

type Parts = { readonly attributes: object; readonly dataSet: object; readonly measures?: object }
type Layout = keyof typeof dimensions

function message(version: '1' | '2', layout: Layout, { attributes, dataSet, measures }: Parts): string {
  const structure = { links, dimensions: dimensions[layout], attributes, ...(measures ? { measures } : {}) }
  const data =
    layout === 'flat'
      ? { observations: observations.flat }
      : { series: { '0': { observations: observations.series }, '1': { observations: { '0': ['3'] } } } }
  const dataSets = [{ structure: 0, ...data, ...dataSet }]
  return JSON.stringify(
    version === '1'
      ? { header: { id: '1', prepared: '2024-03-05T10:00:00Z' }, structure, dataSets }
      : { meta: { id: '1' }, data: { structures: [structure], dataSets } },
  )
}

const stated = (text: string, name: string) => observationsOf(text).map(({ attributes }) => attributes[name])

describe.each([
  ['1', 'series'],
  ['1', 'flat'],
  ['2', 'series'],
  ['2', 'flat'],
] as const)('version %s, %s', (version, layout) => {
  const attributesOf = (attributes: object, dataSet: object) => message(version, layout, { attributes, dataSet })

  it('attributes of a group hold for the observations with its codes', () => {
    const groups = { dimensionGroupAttributes: { ':0:': [0], '0::': [null, 1], '::1': [null, null, 'a note'] } }
    const text = attributesOf({ dimensionGroup: [multiplier, base, { id: 'NOTE' }] }, groups)
    expect(stated(text, 'UNIT_MULT')).toEqual(['0', '0', '0'])
    expect(stated(text, 'BASE_PER')).toEqual(['2020', '2020', undefined])
    expect(stated(text, 'NOTE')).toEqual([undefined, 'a note', undefined])
  })

  it('attributes of a group go before those of the data set', () => {
    const dataSet = { attributes: [0], dimensionGroupAttributes: { '1::': [1] } }
    const text = attributesOf({ dataSet: [multiplier], dimensionGroup: [multiplier] }, dataSet)
    expect(stated(text, 'UNIT_MULT')).toEqual(['0', '0', '6'])
  })

  it('an attribute that is stated nowhere has its default, and no part that leaves it out takes it back', () => {
    const withDefault = { ...multiplier, default: '3' }
    const groups = { dimensionGroupAttributes: { ':0:': [null], '0::': [1] } }
    expect(stated(attributesOf({ dimensionGroup: [withDefault] }, groups), 'UNIT_MULT')).toEqual(['6', '6', '3'])
  })

  it('an attribute with several values has all of them', () => {
    const text = attributesOf({ dataSet: [base, { id: 'NOTE' }] }, { attributes: [[0, 1], { en: 'text' }] })
    expect(stated(text, 'BASE_PER')[0]).toBe('2015;2020')
    expect(stated(text, 'NOTE')[0]).toBe('{"en":"text"}')
  })

  it.each([
    ['of another length', { '0:0': [0] }, 'A key has 2 parts for 3 dimensions.'],
    ['beyond the codes', { '7::': [0] }, 'REF_AREA has no value with the index "7".'],
  ])('a group with a key %s is refused', (_, groups, detail) => {
    const text = attributesOf({ dimensionGroup: [multiplier] }, { dimensionGroupAttributes: groups })
    expect(refusalOf(text)).toMatchObject({
      reason: 'malformed_document',
      message: expect.stringContaining(detail),
      location: `group ${Object.keys(groups)[0]}`,
    })
  })
})

it('groups of dimensions at several levels whose order is not stated are refused', () => {
  const text = message('2', 'flat', {
    attributes: { dimensionGroup: [multiplier] },
    dataSet: { dimensionGroupAttributes: { ':0:': [1] } },
  }).replaceAll(/"keyPosition":\d,/g, '')
  expect(refusalOf(text)).toMatchObject({ reason: 'malformed_document', location: 'group :0:' })
})

describe('measures', () => {
  const measured = (ids: readonly string[], cells: readonly unknown[]): string => {
    const dataSet = { series: { '0': { observations: { '0': cells } } } }
    const attributes = { observation: [component('OBS_STATUS', ['A', 'P'])] }
    return message('2', 'series', { attributes, dataSet, measures: { observation: ids.map((id) => ({ id })) } })
  }

  it('of which OBS_VALUE is not the first give its value, and the attributes behind all', () => {
    const [found] = observationsOf(measured(['OBS_COUNT', 'OBS_VALUE'], ['700', '1.5', 1]))
    expect(found).toMatchObject({ value: '1.5', attributes: { OBS_STATUS: 'P' } })
  })

  it.each([[['TURNOVER']], [['EXPORTS', 'IMPORTS']], [[]]])('%j without OBS_VALUE are refused', (ids) => {
    expect(refusalOf(measured(ids, ['1', '2']))).toMatchObject({
      reason: 'unknown_measure',
      message: `The measures are ${ids.join(', ') || 'none'}; OBS_VALUE is read.`,
    })
  })
})
