import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Acceptor } from '../../ingest/accept.ts'
import { ingest } from '../../ingest/run.ts'
import { fred } from '../../ingest/sources/fred/index.ts'
import { openTestJournal, valuesOf } from '../support/journal.ts'
import { describeShared, sharedData, sharedPath } from '../support/shared-data.ts'

const FOLDER = 'njuettner+fed/vintages/gdp'

describeShared('replaying the recorded FRED vintages of US GDP', () => {
  it('gives a release per real change and none for a mere reprint', async () => {
    const names = readdirSync(sharedPath(FOLDER)).sort()
    // What changed from one snapshot to the next, counted without any of our rules.
    const changes: string[] = []
    const current = new Map<string, number>()
    for (const name of names) {
      const { observations } = JSON.parse(Buffer.from(sharedData(`${FOLDER}/${name}`)).toString()) as {
        observations: { date: string; value: string }[]
      }
      for (const { date, value } of observations) {
        if (value === '.' || current.get(date) === Number(value)) continue
        current.set(date, Number(value))
        changes.push(`${date} ${Number(value)}`)
      }
    }
    const { journal } = await openTestJournal()
    const request = {
      datasets: ['GDP'],
      files: names.map((name) => sharedPath(`${FOLDER}/${name}`)),
      now: () => new Date(),
    }
    const first = await ingest(fred(), request, new Acceptor(journal))
    const quarter = (period: string) =>
      `${period.slice(0, 4)}-${String((Number(period.slice(6)) - 1) * 3 + 1).padStart(2, '0')}-01`
    const releases = await valuesOf(journal, 'releases')
    expect(releases.map(({ period, figures }) => `${quarter(period)} ${Number(figures.value) / 1e9}`)).toEqual(changes)
    expect(first.rejected).toBe(0)
    expect(first.revised).toBeGreaterThan(50)
    expect(first.unchanged).toBeGreaterThan(6_000)

    // The whole history once more, from its oldest snapshot on, is no news.
    const again = await ingest(fred(), request, new Acceptor(journal))
    expect(again).toMatchObject({ new: 0, revised: 0, rejected: 0 })
  })
})
