import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ReleaseDetail, releaseIdIn, releasePath } from '../../contracts/release-detail.ts'
import type { Cpi } from '../../contracts/resources.ts'
import { until } from '../support/journal.ts'
import { almanac } from '../support/service.ts'
import { useService } from '../support/use-service.ts'

/** Implausible figures in whole processes: held, not served, approved by a person, served. */
const own = useService(['cpi-USA-bls.csv'])

const get = async (path: string): Promise<Response> => {
  const answer = await fetch(own.service.base + path, { headers: own.headers })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer
}
const cpi = (period: string) => get(`/v1/economics/USA/cpi?period=${period}`)
// Casts: the contracts of these addresses.
const served = async (period: string) => ((await (await cpi(period)).json()) as Cpi).value
const releaseOf = async (period: string) => {
  const id = releaseIdIn((await cpi(period)).headers.get('link') ?? '')
  return (await (await get(releasePath(id ?? ''))).json()) as ReleaseDetail
}
const run = (...args: string[]) => almanac(args, { ALMANAC_DATA_DIR: own.service.dataDir })

it('a document whose figures are ten times those on record changes nothing until somebody approves it', async () => {
  const sample = await readFile(join(import.meta.dirname, '../../sample/figures/cpi-USA-bls.csv'), 'utf8')
  const [, period = '', value = ''] = /^(\d{4}-\d{2}),([\d.]+)/m.exec(sample) ?? []
  await until('the sample is served', async () => (await served(period).catch(() => '')) === value, 60_000)
  const file = join(own.service.dataDir, 'tenfold.csv')
  await writeFile(
    file,
    sample.replace(/^(\d{4}-\d{2},)([\d.]+)/gm, (_, month, printed) => `${month}${printed}e1`),
  )

  const ingested = await run('ingest', 'file', file)
  expect(ingested, ingested.stderr).toMatchObject({ code: 3 })
  expect(ingested.stdout).toMatch(
    /held for review: held_scale at USA\.cpi\.M\..*figures are about 10 times those on record/,
  )
  expect(ingested.stdout).toMatch(/^total: \d+ held$/m)
  expect(await served(period)).toBe(value)
  expect((await releaseOf(period)).approval).toBeNull()

  const listed = await run('quarantine', 'list', '--held', '--json')
  const held = JSON.parse(listed.stdout) as { input_id: string; reason: string }
  expect(held.reason).toBe('held_scale')
  expect(await run('quarantine', 'retry', held.input_id)).toMatchObject({ code: 3 })
  expect(await run('quarantine', 'approve', held.input_id)).toMatchObject({ code: 2 })
  const approved = await run('quarantine', 'approve', held.input_id, '--because', 'the office said so', '--by', 'Ada')
  expect(approved.stderr).toBe('')
  expect(approved).toMatchObject({ code: 0, stdout: expect.stringMatching(/approved: \d+ revised/) })
  await until('the approved figure is served', async () => Number(await served(period)) === 10 * Number(value), 30_000)
  expect((await releaseOf(period)).approval).toEqual({
    held_for: 'held_scale',
    because: 'the office said so',
    input_id: held.input_id,
  })
  expect((await run('quarantine', 'list', '--held')).stdout).toMatch(/^Nothing is held for review/)
  const approvals = await run('quarantine', 'list', '--reason', 'approved')
  expect(approvals.stdout).toContain('Ada: the office said so')
  expect(approvals.stdout).toContain(held.input_id)
}, 120_000)
