import type { Registry } from 'prom-client'
import type { JobQueue, RejectedList } from '../../api/admin/build-admin.ts'
import type { Overview } from '../../api/admin/overview/overview.ts'
import type { Config } from '../../infra/config.ts'
import type { Lifecycle } from '../../infra/lifecycle.ts'
import type { Log } from '../../infra/log.ts'

type AdminParts = {
  readonly config: Config
  /** Distance of this process's port from ALMANAC_ADMIN_PORT: the processes of a machine use adjacent ports. */
  readonly offset: 0 | 1
  readonly registry: Registry
  readonly overview: () => Promise<Overview>
  readonly ready: () => boolean
  readonly jobs?: JobQueue | undefined
  readonly rejected?: RejectedList | undefined
  readonly lifecycle: Lifecycle
  readonly log: Log
}

/** Starts the operators' server of this process, unless ALMANAC_ADMIN_PORT is 0. */
export async function startAdmin(parts: AdminParts): Promise<void> {
  const { config, offset, registry, overview, ready, jobs, rejected, lifecycle, log } = parts
  const { host, port, token } = config.admin
  if (port === 0) return
  // Loaded only where it is used: the streams process needs Fastify for nothing else.
  const { buildAdmin } = await import('../../api/admin/build-admin.ts')
  const shown = { jobs, rejected, overview, metrics: registry }
  const app = await buildAdmin({ ...shown, ready, token, host, clock: Date.now, logger: log })
  lifecycle.onClose('admin', () => app.close())
  await app.listen({ host, port: port + offset })
}
