import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { topics } from '../../contracts/topics.ts'
import { BELIEVED_AHEAD_MS } from '../../domain/decide-quote.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { firstWholeMinute } from '../../projections/whole-minutes.ts'

const DAY_MS = 86_400_000
const daysIn = (text: string | undefined): number => Number(/INTERVAL (\d+) DAY/.exec(text ?? '')?.[1])

it('how long ticks are kept follows from the journal’s retention, step by step', () => {
  const ttl = daysIn(readFileSync(ticks.table, 'utf8'))
  expect(ttl * DAY_MS).toBe(2 * topics.ticks.retentionMs)
  const kept = daysIn(ticks.kept)
  expect(kept).toBe(ttl - 1)
  const now = Date.UTC(2026, 5, 1)
  expect(firstWholeMinute(now)).toBe(now - kept * DAY_MS + BELIEVED_AHEAD_MS)
})
