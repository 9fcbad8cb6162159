import { existsSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Almanac } from '../../clients/typescript/src/node.ts'
import type { Event } from '../../contracts/events.ts'
import { runCommand } from '../support/command.ts'
import { startDemo } from '../support/demo.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { type Service, startService } from '../support/service.ts'

type Page = { events: Event[]; next_cursor: string; has_more: boolean }

const ask = async (service: Service, key: string, path: string) => {
  const response = await fetch(service.base + path, { headers: { Authorization: `Bearer ${key}` } })
  return { status: response.status, body: await response.text() }
}
const page = async (service: Service, key: string, cursor: string): Promise<Page> =>
  JSON.parse((await ask(service, key, `/v1/events?limit=500&cursor=${cursor}`)).body)

/** Follows pages to their end, and returns each with its cursor. */
async function pagesOf(service: Service, key: string): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor = 'earliest'; ; cursor = pages.at(-1)?.next_cursor ?? cursor) {
    const found = await page(service, key, cursor)
    pages.push(found)
    if (!found.has_more) return pages
  }
}

/** The first events that the stream sends from a cursor on. */
async function streamed(service: Service, key: string, cursor: string, count: number): Promise<unknown[]> {
  const client = new Almanac({ key, url: service.base, streamsUrl: service.streams })
  const events: unknown[] = []
  for await (const event of client.events({ cursor })) if (events.push(event) === count) break
  return events
}

const FIGURES = [
  '/v1/economics/USA/cpi',
  '/v1/economics/USA/gdp/observations?limit=500',
  '/v1/economics/DEU/inflation/observations?limit=100',
  '/v1/economics/USA/trade/exports/observations?limit=2',
  '/v1/catalog/countries',
]

const SAMPLE = [
  'cpi-USA-bls.csv',
  'cpi-bis.csv',
  'gdp-USA-fred-2026-07-30.csv',
  'trade-exports-USA-census-2026-03-12.csv',
]

it('a backup of a running service, restored into an empty deployment, answers as the service did', async () => {
  const [dataDir, empty, backup] = [await temporaryDirectory(), await temporaryDirectory(), await temporaryDirectory()]
  const before = await startDemo(dataDir, SAMPLE)
  onTestFinished(() => before.destroy())
  const { pro } = await before.keys()
  // A cursor has the hour in which its first page was read.
  const withoutCursor = (body: string) => body.replace(/"next_cursor":"[^"]*"/, '"next_cursor":"…"')
  const figures = (service: Service) =>
    Promise.all(
      FIGURES.map(async (path) => {
        const { status, body } = await ask(service, pro, path)
        return { status, body: withoutCursor(body) }
      }),
    )
  // A service that is ready answers everything, although this one found a sample that nothing was derived from.
  const answers = await figures(before)
  expect(answers.map(({ status }) => status)).toEqual(FIGURES.map(() => 200))

  const first = await runCommand(['backup', backup], { ALMANAC_DATA_DIR: dataDir })
  expect([first.code, first.stderr]).toEqual([0, ''])
  const second = await runCommand(['backup', backup], { ALMANAC_DATA_DIR: dataDir })
  expect(second.stdout).toMatch(/records added in .* holds journal .* as of /)
  const checked = await runCommand(['backup', '--verify', backup], {})
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('no damage found')])
  const pages = await pagesOf(before, pro)
  const occupied = await runCommand(['restore', backup], { ALMANAC_DATA_DIR: dataDir })
  expect([occupied.code, occupied.stderr]).toEqual([
    2,
    expect.stringContaining('docs/backup.md#when-a-restore-is-refused'),
  ])
  const cursor = pages[0]?.next_cursor as string
  const sent = await streamed(before, pro, cursor, 500)
  expect(await before.stop()).toBe(0)

  const stale = join(empty, 'checkpoints/events-0.checkpoint')
  await mkdir(dirname(stale), { recursive: true })
  await writeFile(stale, 'of the lost journal')
  const restored = await runCommand(['restore', backup], { ALMANAC_DATA_DIR: empty })
  expect([restored.code, restored.stderr, restored.stdout]).toEqual([
    0,
    '',
    expect.stringMatching(/records restored in .*\njournal .* is as of /s),
  ])
  expect((await runCommand(['import', backup], { ALMANAC_DATA_DIR: empty })).code).toBe(0)
  expect(existsSync(stale)).toBe(false)
  await copyFile(join(dataDir, 'demo-keys.json'), join(empty, 'demo-keys.json'))
  const after = await startService(empty)
  onTestFinished(() => after.destroy())
  expect(await figures(after)).toEqual(answers)
  // What came after the backup is not in it, and each cursor leads on as before.
  const again = await pagesOf(after, pro)
  const old = pages.flatMap(({ events }) => events)
  const restoredEvents = again.flatMap(({ events }) => events).filter(({ sequence }) => Number(sequence) <= 500)
  expect(restoredEvents).toEqual(old.filter(({ sequence }) => Number(sequence) <= 500))
  expect(await streamed(after, pro, cursor, 500)).toEqual(sent)
  expect((await page(after, pro, cursor)).events.slice(0, 100)).toEqual(old.slice(500, 600))
  const verified = await runCommand(['verify'], { ALMANAC_DATA_DIR: empty })
  expect([verified.code, verified.stderr]).toEqual([0, ''])
  expect(await after.stop()).toBe(0)
})
