import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { openJournal } from '../../cli/parts.ts'
import { Almanac, fileCursor, StreamError } from '../../clients/typescript/src/node.ts'
import { loadConfig } from '../../infra/config.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { figureOf } from '../distributed/support/load.ts'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { UNTIL_MS } from '../support/patience.ts'
import { hasNoPython, python, pythonFolder } from '../support/python.ts'
import { testDocument } from '../support/releases.ts'
import { type Service, serviceEnvironment, startService } from '../support/service.ts'

const QUIET = {
  ALMANAC_DEMO: '0',
  ALMANAC_SCHEDULE: '0',
  ALMANAC_ROLES: 'store,processors,projections,api,streams',
}
const TYPE = 'economics.release.published'

/** What a client has read from where its store is, and the error that ended it. */
type Reading = { readonly subjects: readonly string[]; readonly code?: string; readonly cursor?: string }
/** Reads `count` events and acknowledges them. `resume`: goes on elsewhere if the place is lost. */
type Read = (service: Service, key: string, store: string, count: number, resume?: boolean) => Promise<Reading>

const withTypeScript: Read = async (service, key, store, count, resume = false) => {
  const client = new Almanac({ key, url: service.base, streamsUrl: service.streams })
  const subjects: string[] = []
  let moved: { code?: string; cursor?: string } = {}
  const options = {
    onLostPlace: resume ? 'resume' : 'fail',
    onMoved: (code: string, cursor: string) => (moved = { code, cursor }),
  }
  const place = { types: [TYPE], cursor: 'earliest', store: fileCursor(store) } as const
  try {
    // Cast: a union would make two calls of one.
    const stream = client.events({ ...place, ...(options as { onLostPlace: 'resume' }) })
    for await (const { items, ack } of stream.batches()) {
      subjects.push(...items.map(({ subject }) => subject))
      await ack()
      if (subjects.length >= count) break
    }
  } catch (error) {
    if (!(error instanceof StreamError)) throw error
    return { subjects, code: error.code, ...(error.resumeCursor !== null && { cursor: error.resumeCursor }) }
  }
  return { subjects, ...moved }
}

const PROGRAM = `
import json, sys
from almanac_client import Almanac, FileCursor, StreamError
key, url, streams, store, count, resume = sys.argv[1:]
found = {"subjects": []}
def on_moved(code, cursor):
    found.update(code=code, cursor=cursor)
almanac = Almanac(key, url=url, streams_url=streams)
place = {"types": ["${TYPE}"], "cursor": "earliest", "store": FileCursor(store)}
try:
    events = almanac.events(**place, on_lost_place="resume" if resume == "true" else "fail", on_moved=on_moved)
    for batch in events.batches():
        found["subjects"] += [event.subject for event in batch.items]
        batch.ack()
        if len(found["subjects"]) >= int(count):
            break
except StreamError as error:
    found.update(code=error.code, cursor=error.resume_cursor)
print(json.dumps(found))
`
const withPython: Read = async (service, key, store, count, resume = false) => {
  const given = [key, service.base, service.streams, store, String(count), String(resume)]
  const { stdout } = await promisify(execFile)(python, ['-c', PROGRAM, ...given], {
    env: { ...process.env, PYTHONPATH: join(pythonFolder, 'src') },
    timeout: UNTIL_MS,
  })
  return JSON.parse(stdout) as Reading
}

const subjectsOf = (months: readonly number[]) => months.map((month) => `NOR/cpi/${figureOf(month).period}`)
/** Months of which none is a year after another, so that each figure has one event. */
const [BACKED_UP, LOST, OTHERS, LATER] = [range(0, 10), range(40, 5), range(100, 12), range(140, 3)]
function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i)
}

type Directories = [a: string, b: string, c: string, backup: string, copy: string]
const clients = { TypeScript: withTypeScript, ...(hasNoPython ? {} : { Python: withPython }) }

it('the clients miss nothing and get nothing twice, over a restore and over a move', async () => {
  const home = await temporaryDirectory()
  const [a, b, c, backup, copy] = ['a', 'b', 'c', 'backup', 'copy'].map((name) => join(home, name)) as Directories
  const settings = (dataDir: string) => ({ ...QUIET, ALMANAC_DATA_DIR: dataDir })
  const run = async (dataDir: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, settings(dataDir))
    expect([code, stderr], args.join(' ')).toEqual([0, ''])
    return stdout
  }
  const start = async (dataDir: string) => {
    const service = await startService(dataDir, QUIET)
    onTestFinished(() => service.destroy())
    return service
  }
  const accept = async (dataDir: string, months: readonly number[]) => {
    const journal = await openJournal(loadConfig(serviceEnvironment(settings(dataDir))))
    await new Acceptor(journal).accept(testDocument, months.map(figureOf))
    await journal.close()
  }
  await run(a, 'journal', 'init')
  const { key } = JSON.parse(await run(a, 'keys', 'create', '--plan', 'pro', '--owner', 'TEST', '--json'))
  const storeOf = (reader: string, client: string) => join(home, `${reader}-${client}`)
  /** Each client goes on from where this reader of it is, and reads that. */
  const expectRead = async (service: Service, reader: string, months: readonly number[], lost = {}, resume = false) => {
    for (const [client, read] of Object.entries(clients)) {
      const found = await read(service, key, storeOf(reader, client), months.length, resume)
      expect(found, `${reader} of ${client}`).toEqual({ subjects: subjectsOf(months), ...lost })
    }
  }

  await accept(a, BACKED_UP)
  const before = await start(a)
  await expectRead(before, 'busy', BACKED_UP)
  await expectRead(before, 'absent', BACKED_UP)
  await run(a, 'backup', backup)
  await accept(a, LOST)
  await expectRead(before, 'busy', LOST)
  const cursor = (await readFile(storeOf('busy', 'TypeScript'), 'utf8')).trim()
  expect(await before.stop()).toBe(0)

  await run(b, 'restore', backup)
  const restored = await start(b)
  await accept(b, OTHERS)
  await expectRead(restored, 'absent', OTHERS)
  const refused = { code: 'cursor_superseded', cursor: expect.stringMatching(/^v1\./) }
  await expectRead(restored, 'busy', [], refused)
  await expectRead(restored, 'busy', OTHERS, refused, true)

  const page = (path: string) => fetch(restored.base + path, { headers: { authorization: `Bearer ${key}` } })
  const answer = await page(`/v1/events?type=${TYPE}&cursor=${cursor}`)
  expect([answer.status, await answer.json()]).toMatchObject([410, { code: refused.code }])
  const [, link = ''] = /^<(.*)>; rel="branch"$/.exec(answer.headers.get('link') ?? '') ?? []
  const listed = async () => {
    const { events } = (await (await page(link)).json()) as { events: { subject: string }[] }
    return events.map(({ subject }) => subject)
  }
  await until('the page has what came after the restore', async () => (await listed()).length >= OTHERS.length)
  expect(await listed()).toEqual(subjectsOf(OTHERS))
  expect(await restored.stop()).toBe(0)

  // Stopped before the backup, so that nothing comes after it: a move.
  await run(b, 'backup', copy)
  await run(c, 'restore', copy)
  const moved = await start(c)
  await accept(c, LATER)
  await expectRead(moved, 'absent', LATER)
  await expectRead(moved, 'busy', LATER)
  expect(await moved.stop()).toBe(0)
})
