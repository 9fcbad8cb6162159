import { describe, expect, it } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { eventOfRelease } from '../../domain/release-event.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

const rate = (source: string, value: string | null, previous?: Release): Release => {
  const series = testSeries({ indicator: 'unemployment', unit: 'percent', source })
  const claimed = candidate(series, '2025-07', { rate: value ?? '' })
  return accepted(value === null ? { ...claimed, printed: null } : claimed, previous)
}

describe('the event of a release', () => {
  it('says what its period is answered with from then on, also after a withdrawal', () => {
    const board = new FigureBoard()
    const events = [
      rate('OECD', '4.05'),
      rate('FRED', '4.1'),
      rate('FRED', null, rate('FRED', '4.1')),
      rate('OECD', null, rate('OECD', '4.05')),
    ].map((release, i) => {
      const event = eventOfRelease(board, release, i + 1)
      const data = JSON.parse(event?.data ?? '{}')
      // Whoever keeps the newest event of each subject has what REST answers.
      expect(data.rate).toBe(board.at('USA', 'unemployment', '2025-07')?.figures.rate)
      return [event?.type.replace('economics.release.', ''), data.rate, data.previous?.rate]
    })
    expect(events).toEqual([
      ['published', '4.05', undefined],
      ['published', '4.1', undefined],
      ['revised', '4.05', '4.1'],
      ['withdrawn', undefined, '4.05'],
    ])
  })
})
