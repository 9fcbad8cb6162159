import { expect, it, onTestFinished, vi } from 'vitest'
import type { ApiDeps } from '../../api/deps.ts'
import { exportLines } from '../../api/export-lines.ts'
import { cursorAt } from '../../domain/served-event.ts'
import { JournalError, type JournalErrorCode } from '../../journal/journal.ts'
import { eventNumber } from '../support/journal-records.ts'
import { firstGeneration } from '../support/lineage.ts'

/** Lines of an export of ten events of the given families. The journal gives one a read, and fails at number `failAt`. */
function linesOf(families: readonly string[], failAt = Number.POSITIVE_INFINITY, error = new Error('a bug')) {
  const failures: unknown[] = []
  const read = async (_topic: string, _partition: number, offset: number) => {
    if (offset >= failAt) throw error
    return { records: [{ offset, value: eventNumber(offset) }], next: offset + 1, end: 10 }
  }
  const lines = exportLines({
    journal: { read } as unknown as ApiDeps['journal'],
    lineage: firstGeneration('TEST'),
    from: { sequence: 1, offset: 0 },
    to: 10,
    filter: { countries: null, families: new Set(families), types: null },
    lineOf: ({ sequence }) => String(sequence),
    charge: () => undefined,
    failed: (fault) => failures.push(fault),
    closing: new AbortController().signal,
  })
  return { lines, failures }
}

it('sends an empty line after 5 s in which nothing matched, and none sooner', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 2_000))
  onTestFinished(() => clock.mockRestore())
  const texts = await Array.fromAsync(linesOf(['none']).lines)
  expect(texts.slice(0, -1).length).toBeGreaterThan(1)
  expect(new Set(texts.slice(0, -1))).toEqual(new Set(['\n']))
  clock.mockRestore()
  expect(await Array.fromAsync(linesOf(['none']).lines)).toHaveLength(1)
})

it.each([
  ['offset_out_of_range', 'cursor_expired'],
  ['unavailable', 'unavailable'],
  ['closed', 'unavailable'],
] as const)('ends early with its reason if the journal says %s', async (given, code) => {
  const { lines, failures } = linesOf(['inflation', 'labour', 'output', 'trade'], 4, faultOf(given))
  const texts = await Array.fromAsync(lines)
  expect(texts.slice(0, -1)).toEqual(['1\n', '2\n', '3\n', '4\n'])
  expect(JSON.parse(texts.at(-1) ?? '')).toEqual({
    cursor: cursorAt(firstGeneration('TEST'), 5),
    count: 4,
    complete: false,
    code,
  })
  expect(failures).toEqual([])
})

it('throws an error that clients can do nothing about, and reports it', async () => {
  const { lines, failures } = linesOf(['inflation'], 4)
  await expect(Array.fromAsync(lines)).rejects.toThrow('a bug')
  expect(failures).toEqual([expect.objectContaining({ message: 'a bug' })])
})

const faultOf = (code: JournalErrorCode) => new JournalError(code, 'TEST')
