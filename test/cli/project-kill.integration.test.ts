import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import example from '../../docs/examples/gdp-revisions.ts'
import { startStoreProcess } from '../projections/support/store-process.ts'
import { until } from '../support/journal.ts'
import { openDeployment } from '../support/projection-runs.ts'
import { randomFrom } from '../support/random.ts'

/** Number of times that the runner is killed: 200 in a long run. */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 4)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)
const EXAMPLE = join(import.meta.dirname, '../../docs/examples/gdp-revisions.ts')

it(`the example of docs/your-own-projection.md equals a recomputation, however often it is killed (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const home = await mkdtemp(join(tmpdir(), 'almanac-project-kill-'))
  const store = await startStoreProcess({ path: join(home, 'store') })
  const writing = new AbortController()
  let writer: Promise<void> | undefined
  try {
    const world = await openDeployment(store.url, 'killed')
    await world.write(2_000)
    writer = (async () => {
      while (!writing.signal.aborted) {
        await world.write(1 + Math.floor(random() * 50))
        await sleep(10)
      }
    })()
    const watermark = async () => {
      const found = await world.client
        .query({ query: 'SELECT max(_offset) AS last FROM user_gdp_revisions', format: 'JSONEachRow' })
        .then((answer) => answer.json<{ last: string }>())
        .catch(() => [{ last: '-1' }])
      return Number(found[0]?.last)
    }
    let midway = 0
    for (let kills = 0; kills < KILLS; kills++) {
      const before = await watermark()
      const run = world.start([EXAMPLE])
      // Three lives of four have written something. The others end while they start.
      if (kills % 4 > 0) await until('it has written', async () => (await watermark()) > before)
      await sleep(random() * 300)
      expect(await run.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stderr: '' })
      const { end } = await world.journal.bounds('releases', 0)
      if ((await watermark()) < end - 1) midway++
    }
    writing.abort()
    await writer
    expect(midway).toBeGreaterThanOrEqual(KILLS / 2)
    expect((await world.run([EXAMPLE, '--once'])).code).toBe(0)
    const expected = (await world.records()).flatMap((record) =>
      example.rows(record).map(({ value, ...row }) => ({ o: record.offset, ...row, value: `${value}` })),
    )
    const columns = '_offset AS o, period, released_on, toString(value) AS value, series'
    expect(await world.table('gdp_revisions', columns)).toEqual(expected)
    expect((await world.run([EXAMPLE, '--verify'])).stdout).toContain(`${expected.length.toLocaleString('en')} rows`)
    expect((await world.run([EXAMPLE, '--rebuild', '--once'])).stdout).toContain('equal to the journal')
    console.log(`${KILLS} kills, ${midway} of them with records left to read; ${expected.length} rows`)
  } finally {
    writing.abort()
    await writer
    await store.stop('SIGTERM')
    await rm(home, { recursive: true })
  }
})
