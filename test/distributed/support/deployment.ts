import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, type Issued } from '../../../access/keys.ts'
import { openOrCreateJournal } from '../../../cli/parts.ts'
import type { Plan } from '../../../contracts/resources.ts'
import { loadConfig } from '../../../infra/config.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { type CommandOutput, runCommand } from '../../support/command.ts'
import { type SharedServices, settingsOn, sharedServices } from '../../support/distributed.ts'
import { type Service, startService } from '../../support/service.ts'

/** Nodes that work together on real services. */
export type Deployment = {
  readonly settings: Readonly<Record<string, string>>
  /** The same journal, opened in this process. */
  readonly journal: TypedJournal
  /** Starts a node of some roles; one without a store asks the store of the node that has one. */
  startNode(roles: string): Promise<Service>
  newKeys(plan: Plan, count: number): Promise<Issued[]>
  /** Runs a command beside the node that has the store. */
  command(...args: string[]): Promise<CommandOutput>
  close(): Promise<void>
}

/** Without demo and schedule: nothing is written but what a test writes. */
const QUIET = { ALMANAC_DEMO: '0', ALMANAC_SCHEDULE: '0' }

export async function openDeployment(over: Partial<SharedServices> = {}): Promise<Deployment> {
  const shared = sharedServices()
  if (!shared) throw new Error('no services are shared: run `npm run test:distributed`')
  const dir = await mkdtemp(join(tmpdir(), 'almanac-deployment-'))
  const settings = { ...settingsOn({ ...shared, ...over }, dir), ...QUIET }
  const journal = await openOrCreateJournal(loadConfig({ ...settings, ALMANAC_DATA_DIR: dir }))
  const nodes: Promise<Service>[] = []
  let storeDir: string | undefined
  return {
    settings,
    journal,
    async startNode(roles) {
      const dataDir = await mkdtemp(join(dir, 'node-'))
      const clickhouse = storeDir === undefined ? {} : { ALMANAC_CLICKHOUSE_URL: await storeUrl(storeDir) }
      const starting = startService(dataDir, { ...settings, ...clickhouse, ALMANAC_ROLES: roles })
      nodes.push(starting)
      const node = await starting
      if (roles.split(',').includes('store')) storeDir = dataDir
      return node
    },
    async newKeys(plan, count) {
      const wanted = { kind: 'test', plan, owner: 'TEST', origins: ['http://localhost:*'], expiresAt: null } as const
      const now = Date.now()
      const issued = Array.from({ length: count }, () => createKey(wanted, now, randomBytes))
      const drafts = issued.map(({ record }) => ({ value: record, id: record.key_id, at: now }))
      await journal.append('access', 0, drafts)
      return issued
    },
    command: (...args) => runCommand(args, { ...settings, ALMANAC_DATA_DIR: storeDir ?? dir }),
    async close() {
      const started = await Promise.allSettled(nodes)
      await Promise.all(started.map((node) => node.status === 'fulfilled' && node.value.destroy()))
      await journal.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const storeUrl = async (dataDir: string): Promise<string> =>
  (JSON.parse(await readFile(join(dataDir, 'store.json'), 'utf8')) as { url: string }).url
