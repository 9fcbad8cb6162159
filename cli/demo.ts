import { createHash, randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KeyFinding, KeyTable } from '../access/key-table.ts'
import { createKey, deriveAddressKey, type Issued } from '../access/keys.ts'
import { localhostPatterns } from '../access/origin.ts'
import { isServed } from '../contracts/indicators.ts'
import { plans } from '../contracts/plans.ts'
import type { AccessKey } from '../contracts/records.ts'
import type { Plan } from '../contracts/resources.ts'
import { Acceptor } from '../ingest/accept/accept.ts'
import type { Tally } from '../ingest/accept/tally.ts'
import { readCsv } from '../ingest/read/csv.ts'
import { type DocumentReport, ingest } from '../ingest/run.ts'
import { file } from '../ingest/sources/file/index.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { writePrivately } from './drawn-secret.ts'
import { type ReleaseToState, stateReleases } from './state-releases.ts'

/** Adds what ALMANAC_DEMO=1 asks for, unless it exists: the bundled sample, one key for each plan, and a read-only one. */

const root = fileURLToPath(new URL('../sample/', import.meta.url))
/** Periods that were never published: country, indicator, period, reason. */
const gapsFile = `${root}never-published.csv`
const sampleFiles = (): string[] => {
  return globSync('{figures,prices}/*.csv', { cwd: root })
    .sort()
    .map((name) => `${root}${name}`)
}

/** Hash of the sample's files and the journal's id. It changes if either does. */
async function sampleMark(journal: Pick<TypedJournal, 'id'>): Promise<string> {
  const hash = createHash('sha256').update(journal.id)
  for (const path of [...sampleFiles(), gapsFile]) hash.update(await readFile(path))
  return hash.digest('hex')
}

async function sampleGaps(): Promise<ReleaseToState[]> {
  const [, ...rows] = readCsv(await readFile(gapsFile, 'utf8'))
  return rows.map(({ cells: [country = '', indicator = '', period = '', reason = ''] }) => {
    if (!isServed(indicator)) throw new Error(`${gapsFile}: ${indicator} is not served`)
    return { country, indicator, period, reason }
  })
}

/** Notes that a journal needs no sample: a restored one has what its backup holds. */
export async function markSample(path: string, journalId: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await sampleMark({ id: journalId }))
}

/**
 * Loads the sample through the real ingest, once: a second load would only read what is on record. `path` stores the hash of
 * the loaded sample. After an interrupted load the next start loads it again, and records that exist are recognised.
 */
export async function loadSample(
  path: string,
  journal: TypedJournal,
  signal: AbortSignal,
  listeners: { onStart(): void; onDocument(report: DocumentReport): void },
): Promise<Tally | undefined> {
  const mark = await sampleMark(journal)
  // An unreadable file counts as no sample: loading it again does no harm to records that exist.
  if ((await readFile(path, 'utf8').catch(() => '')) === mark) return undefined
  listeners.onStart()
  const tally = await ingest(
    file(),
    { files: sampleFiles(), signal, now: () => new Date() },
    new Acceptor(journal),
    (report) => listeners.onDocument(report),
  )
  await stateReleases(journal, 'never_published', await sampleGaps(), () => {
    // A refused one has been published here since, from another source.
  })
  await writeFile(path, mark)
  return tally
}

/** Plan of the demo's key from which the read-only one is derived. */
const DERIVED_PLAN = 'pro'

/**
 * Makes sure that `path` holds a valid key for every plan, and a read-only one for addresses, as `{"free": …, "basic": …,
 * "pro": …, "read_only": …}`, readable by its owner only. The file is written before the journal. After a crash in between,
 * the file's keys are unknown and are made again.
 */
export async function ensureDemoKeys(path: string, keys: KeyTable, journal: TypedJournal, now: number): Promise<void> {
  const known = await knownKeys(path)
  // Cast: `Object.keys` returns string[] whatever the object's type.
  const names = Object.keys(plans) as Plan[]
  const found = names.map((plan) => keys.find(known[plan] ?? '', now))
  const fresh = found.every(({ ok }) => ok) ? [] : names.map((plan) => ({ name: plan, ...demoKey(plan, now) }))
  const parent = fresh.find(({ name }) => name === DERIVED_PLAN)?.record ?? keyIn(found[names.indexOf(DERIVED_PLAN)])
  const isDerived = fresh.length === 0 && keys.findInAddress(known.read_only ?? '', now).ok
  // After a rotation by hand, only its owner can derive from the new key, which stands nowhere.
  const derived =
    isDerived || !parent || parent.replaced_by !== null
      ? []
      : [{ name: 'read_only', ...deriveAddressKey(parent, 'demo read-only', now, randomBytes) }]
  const issued = [...fresh, ...derived]
  if (issued.length === 0) return
  const file = { ...known, ...Object.fromEntries(issued.map(({ name, key }) => [name, key])) }
  await writePrivately(path, `${JSON.stringify(file, null, 2)}\n`)
  await journal.append(
    'access',
    0,
    issued.map(({ record }) => ({ value: record, id: `${record.key_id}/${now}`, at: now })),
  )
}

/** The keys in a file. One that is absent, unreadable or cut counts as one without keys, and is replaced. */
async function knownKeys(path: string): Promise<Readonly<Record<string, string>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return Object.fromEntries(entries.filter(([, key]) => typeof key === 'string'))
  } catch {
    return {}
  }
}

const demoKey = (plan: Plan, now: number): Issued =>
  createKey(
    { kind: 'test', plan, owner: `demo ${plan}`, origins: localhostPatterns, expiresAt: null },
    now,
    randomBytes,
  )

const keyIn = (finding: KeyFinding | undefined): AccessKey | undefined => (finding?.ok ? finding.key : undefined)
