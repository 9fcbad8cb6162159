import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../infra/ports.ts'
import { type Service, startService } from '../../support/service.ts'

const TOKEN = 'TEST'

/** A job as `/jobs.json` has it. */
export type JobJson = {
  readonly name: string
  readonly running: boolean
  readonly next_run: string | null
  readonly last_run: {
    readonly outcome: string
    readonly attempt: number
    readonly detail: string
    readonly started_at: string
    readonly retry_at: string | null
  } | null
}

/** A node that does nothing but ingest by the calendar, and its admin port. */
export type IngestNode = {
  readonly service: Service
  /** The process that runs jobs. */
  readonly pid: number
  ask(path: string, authorization?: string): Promise<Response>
  jobs(): Promise<JobJson[]>
  /** The process first, while its supervisor lives: without that it would put its jobs back and end in order. */
  killAll(): void
}

export async function startIngestNode(settings: Readonly<Record<string, string>>): Promise<IngestNode> {
  const port = await freePort()
  const service = await startService(await mkdtemp(join(tmpdir(), 'almanac-ingest-node-')), {
    ...settings,
    ALMANAC_SCHEDULE: '1',
    ALMANAC_ROLES: 'ingest',
    ALMANAC_ADMIN_PORT: String(port),
    ALMANAC_ADMIN_TOKEN: TOKEN,
  })
  const ask = (path: string, authorization = `Bearer ${TOKEN}`) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: authorization === '' ? {} : { authorization } }).catch(
      (cause) => {
        throw new Error(`the node does not answer: ${service.output()}`, { cause })
      },
    )
  return {
    service,
    pid: service.processes().find(({ name }) => name === 'node.ts')?.pid ?? -1,
    ask,
    jobs: async () => ((await (await ask('/jobs.json')).json()) as { jobs: JobJson[] }).jobs,
    killAll() {
      for (const { pid } of service.processes().reverse()) service.kill(pid)
    },
  }
}
