import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import { ingest } from '../../../ingest/run.ts'
import { fred } from '../../../ingest/sources/fred/index.ts'
import { openTestJournal, valuesOf } from '../../support/journal.ts'

type Snapshot = { readonly observations: readonly { readonly date: string; readonly value: string }[] }

/**
 * Ingests snapshots of GDP, oldest first, and expects a release for each figure that changed, and none when the same files
 * come again. Returns the tally of the first time.
 */
export async function expectReleasePerChange(files: readonly string[]) {
  // What changed from one snapshot to the next, counted without any of our rules.
  const changes: string[] = []
  const current = new Map<string, number>()
  for (const file of files) {
    const { observations } = JSON.parse(readFileSync(file, 'utf8')) as Snapshot
    for (const { date, value } of observations) {
      if (value === '.' || current.get(date) === Number(value)) continue
      current.set(date, Number(value))
      changes.push(`${date} ${Number(value)}`)
    }
  }
  const { journal } = await openTestJournal()
  const request = { datasets: ['GDP'], files, now: () => new Date() }
  const first = await ingest(fred(), request, new Acceptor(journal))
  const quarter = (period: string) =>
    `${period.slice(0, 4)}-${String((Number(period.slice(6)) - 1) * 3 + 1).padStart(2, '0')}-01`
  const releases = await valuesOf(journal, 'releases')
  expect(releases.map(({ period, figures }) => `${quarter(period)} ${Number(figures.value) / 1e9}`)).toEqual(changes)
  expect(first).toMatchObject({ rejected: 0, new: current.size, revised: changes.length - current.size })

  const again = await ingest(fred(), request, new Acceptor(journal))
  expect(again).toMatchObject({ new: 0, revised: 0, rejected: 0 })
  return first
}
