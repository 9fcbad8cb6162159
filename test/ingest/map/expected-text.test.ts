import { describe, expect, it } from 'vitest'
import { expectedText } from '../../../ingest/map/mapping.ts'

describe('what a message must state of a series', () => {
  it.each([
    ['Exports', 'Exports', true],
    ['Exports', 'Imports', false],
    ['Exports', 'Exports of goods', false],
    ['Exports | Goods out', 'Goods out', true],
    ['Exports | Goods out', 'Exports | Goods out', false],
    ['CPI 20*=100', 'CPI 2015=100', true],
    ['CPI 20*=100', 'CPI 2015', false],
    ['*activity rate*16 and over*', 'Economic activity rate: 16 and over (%)', true],
    ['*activity rate*16 and over*', '16 and over: activity rate', false],
    ['a*a', 'a', false],
  ])('%j admits %j: %s', (expected, found, isAdmitted) => {
    expect(expectedText(expected, false).admits(found)).toBe(isAdmitted)
  })

  it('may be unstated only if the row says so', () => {
    for (const nothing of [undefined, '']) {
      expect(expectedText('*', false).admits(nothing)).toBe(false)
      expect(expectedText('UK', true).admits(nothing)).toBe(true)
    }
    expect(expectedText('UK', true).admits('Wales')).toBe(false)
  })

  it('is found in a long text in no time', () => {
    expect(expectedText('*ab*ab*c', false).admits('ab'.repeat(1_000_000))).toBe(false)
  })
})
