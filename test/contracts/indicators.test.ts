import { expect, it } from 'vitest'
import {
  type Indicator,
  indicatorDefinition,
  indicators,
  servedIndicators,
  servingOf,
} from '../../contracts/indicators.ts'

const codes = Object.keys(indicators) as Indicator[]

it.each(servedIndicators)('%s is served with the figures that a release carries', (code) => {
  const { resource, predicted } = servingOf(code)
  const { figures } = indicators[code]
  expect(Object.keys(resource.properties)).toEqual(expect.arrayContaining([...figures]))
  expect(figures).toContain(predicted.figure)
})

it('lets a release lack just the figures that the body of its indicator lets be null', () => {
  for (const code of servedIndicators) {
    const { figures, optionalFigures = [] } = indicatorDefinition(code) ?? { figures: [] }
    const nullable = figures.filter((figure) =>
      JSON.stringify(servingOf(code).resource.properties[figure]).includes('"type":"null"'),
    )
    expect(optionalFigures, code).toEqual(nullable)
  }
})

it('gives each indicator a path and an operation of its own', () => {
  for (const fact of ['path', 'operationId'] as const) {
    const values = servedIndicators.map((code) => servingOf(code)[fact])
    expect(new Set(values).size).toBe(values.length)
  }
  expect(codes.length).toBeGreaterThan(servedIndicators.length)
  expect(indicatorDefinition('toString')).toBeUndefined()
})
