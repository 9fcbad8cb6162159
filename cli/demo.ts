import { createHash, randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { KeyTable } from '../access/key-table.ts'
import { createKey } from '../access/keys.ts'
import { localhostPatterns } from '../access/origin.ts'
import { plans } from '../contracts/plans.ts'
import type { Plan } from '../contracts/resources.ts'
import { Acceptor, type Tally } from '../ingest/accept.ts'
import { type DocumentReport, ingest } from '../ingest/run.ts'
import { file } from '../ingest/sources/file/index.ts'
import type { TypedJournal } from '../journal/typed.ts'

/** What ALMANAC_DEMO=1 adds: the bundled sample, and one key a plan. Both may be there already. */

const sampleFiles = (): string[] => {
  const root = fileURLToPath(new URL('../sample/', import.meta.url))
  return globSync('{figures,prices}/*.csv', { cwd: root })
    .sort()
    .map((name) => `${root}${name}`)
}

/** What the sample is, by its bytes, in this journal. */
async function sampleMark(journal: TypedJournal): Promise<string> {
  const hash = createHash('sha256').update(journal.id)
  for (const path of sampleFiles()) hash.update(await readFile(path))
  return hash.digest('hex')
}

/**
 * Loads the sample through the real ingest, once: loaded again at every start, its undated figures would each time revise
 * what a user has ingested since. `path` remembers what was loaded; interrupted, it is loaded again and recognised.
 */
export async function loadSample(
  path: string,
  journal: TypedJournal,
  signal: AbortSignal,
  told: { onStart(): void; onDocument(report: DocumentReport): void },
): Promise<Tally | undefined> {
  const mark = await sampleMark(journal)
  if ((await readFile(path, 'utf8').catch(() => '')) === mark) return undefined
  told.onStart()
  const tally = await ingest(
    file(),
    { files: sampleFiles(), signal, now: () => new Date() },
    new Acceptor(journal),
    (report) => told.onDocument(report),
  )
  await writeFile(path, mark)
  return tally
}

/**
 * Makes sure that `path` holds a working key for every plan, as `{"free": …, "basic": …, "pro": …}`, readable by its
 * owner only. The keys are written before their records: a crash between leaves keys that are then made again.
 */
export async function ensureDemoKeys(path: string, keys: KeyTable, journal: TypedJournal, now: number): Promise<void> {
  const known = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, string>,
    () => ({}) as Record<string, string>,
  )
  const names = Object.keys(plans) as Plan[]
  if (names.every((plan) => known[plan] !== undefined && keys.find(known[plan], now).ok)) return
  const issued = names.map((plan) =>
    createKey(
      { kind: 'test', plan, owner: `demo ${plan}`, origins: localhostPatterns, expiresAt: null },
      now,
      randomBytes,
    ),
  )
  const byPlan = Object.fromEntries(issued.map(({ key, record }) => [record.plan, key]))
  await writeFile(path, `${JSON.stringify(byPlan, null, 2)}\n`, { mode: 0o600 })
  await journal.append(
    'access',
    0,
    issued.map(({ record }) => ({ value: record, id: `${record.key_id}/${now}`, at: now })),
  )
}
