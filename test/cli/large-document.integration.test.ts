import { readdirSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countryByAlpha2 } from '../../contracts/countries.ts'
import { documentLimits } from '../../ingest/limits.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { recordsOf, temporaryDirectory, until } from '../support/journal.ts'
import { almanac } from '../support/service.ts'

const LARGE_MB = 60
/**
 * Memory of both processes that the large document may take above a small one, MB. Measured: 90 to 96, which is garbage not
 * collected yet. It was 190 to 200 when the document was read whole.
 */
const ALLOWED_MB = 130
const QUARTERS = 120
/** Makes a row long, so that a large document has no more rows than it must. */
const LONG = '_'.repeat(250)

/** Writes a dataset of Eurostat: GDP of some countries, behind many megabytes of series that no mapping knows. */
async function dataset(megabytes: number, areas: readonly string[]): Promise<string> {
  const path = join(await temporaryDirectory(), 'namq_10_gdp.csv')
  const file = await open(path, 'w')
  await file.write('DATAFLOW,LAST UPDATE,freq,unit,s_adj,na_item,geo,TIME_PERIOD,OBS_VALUE\n')
  let written = 0
  for (let n = 0; written < megabytes * 1e6; n++) {
    const { bytesWritten } = await file.write(
      Array.from({ length: 50 }, (_, i) => rowsOf(`P${n}X${i}${LONG}`, 'DE')).join(''),
    )
    written += bytesWritten
  }
  for (const area of areas) await file.write(rowsOf('B1GQ', area))
  await file.close()
  return path
}

const rowsOf = (item: string, area: string): string =>
  Array.from({ length: QUARTERS }, (_, i) => {
    const period = `${1980 + Math.floor(i / 4)}-Q${(i % 4) + 1}`
    return `ESTAT:NAMQ_10_GDP(1.0),04/03/24 11:00:00,Q,CP_MEUR,SCA,${item},${area},${period},${100 + i}\n`
  }).join('')

/** Memory of a process and those below it, without the pages of files that they map, MB. Those that have ended have 0. */
function memoryMb(pid: number): number {
  try {
    const own = Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return children.reduce((sum, child) => sum + memoryMb(Number(child)), own)
  } catch {
    return 0
  }
}

/** Runs the command on a file and a journal of its own, and returns its greatest memory, MB. */
async function memoryToIngest(path: string): Promise<number> {
  const { directory } = await openEmbeddedTestJournal()
  let memory = 0
  let watch: NodeJS.Timeout | undefined
  const { code, stderr } = await almanac(
    ['ingest', 'eurostat', path],
    { ALMANAC_DATA_DIR: directory },
    ({ pid = 0 }) => {
      watch = setInterval(() => (memory = Math.max(memory, memoryMb(pid))), 10)
    },
  )
  clearInterval(watch)
  expect(code, stderr).toBe(0)
  return memory
}

/** All that the releases are, without the time at which they were recorded and the offsets, which differ from run to run. */
async function contentOf(journal: TypedJournal) {
  return (await recordsOf(journal, 'releases')).map(({ key, value, headers }) => ({
    key,
    value: { ...value, recorded_at: '' },
    headers: { ...headers, 'recorded-at': '' },
  }))
}

describe('a large document', () => {
  it(`of ${LARGE_MB} MB takes at most ${ALLOWED_MB} MB more than a small one`, async () => {
    const small = await memoryToIngest(await dataset(0, ['DE']))
    const large = await memoryToIngest(await dataset(LARGE_MB, ['DE']))
    expect(small).toBeGreaterThan(0)
    expect(large - small).toBeLessThan(ALLOWED_MB)
  })

  it('whose reader is killed while it writes gives in the end what an uninterrupted run gives', async () => {
    const countries = [...countryByAlpha2.keys()].slice(0, 60)
    const path = await dataset(documentLimits.wholeFileBytes / 1e6 + 1, countries)
    const figures = countries.length * QUARTERS
    const args = ['ingest', 'eurostat', path]
    const run = (directory: string) => runCommand(args, { ALMANAC_DATA_DIR: directory })

    const whole = await openEmbeddedTestJournal()
    expect(await run(whole.directory)).toMatchObject({ code: 0, stdout: expect.stringContaining(`${figures} new`) })
    const expected = await contentOf(whole.journal)
    expect(expected).toHaveLength(figures)

    const { journal, directory } = await openEmbeddedTestJournal()
    for (const least of [1, figures / 2]) {
      let killed: Promise<void> | undefined
      const { signal } = await almanac(args, { ALMANAC_DATA_DIR: directory }, (child) => {
        const isFarEnough = async () => (await journal.bounds('releases', 0)).end >= least
        killed = until(`${least} releases`, isFarEnough).then(() => void child.kill('SIGKILL'))
      })
      await killed
      expect(signal).toBe('SIGKILL')
      const { length } = await recordsOf(journal, 'releases')
      expect(length).toBeGreaterThan(0)
      expect(length).toBeLessThan(figures)
    }
    expect(await run(directory)).toMatchObject({ code: 0, stdout: expect.stringMatching(/total: .*unchanged/) })
    expect(await contentOf(journal)).toEqual(expected)
  })
})
