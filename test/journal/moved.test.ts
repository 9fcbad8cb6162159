import { expect, it } from 'vitest'
import type { JournalRow } from '../../journal/embedded/store.ts'
import { throwIfMoved } from '../../journal/embedded/transaction.ts'

it('a journal takes writes until it was moved, and none afterwards', () => {
  const row = (copy: object | undefined) => ({ id: 'J', ...(copy && { copy }) }) as unknown as JournalRow
  expect(() => throwIfMoved(undefined)).not.toThrow()
  expect(() => throwIfMoved(row(undefined))).not.toThrow()
  expect(() => throwIfMoved(row({ id: 'c', to: 'kafka:9092' }))).not.toThrow()
  expect(() => throwIfMoved(row({ id: 'c', to: 'kafka:9092', movedAt: '2026-11-28T00:00:00.000Z' }))).toThrow(
    'moved to',
  )
})
