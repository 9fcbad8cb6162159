import type { Burst } from './burst.ts'
import type { Leases } from './leases.ts'
import type { Quota } from './quota.ts'
import type { Revocations } from './revocations.ts'
import type { Tickets } from './tickets.ts'

/** The access ports, all on one store. */
export type Access = {
  readonly quota: Quota
  readonly burst: Burst
  readonly revocations: Revocations
  readonly leases: Leases
  readonly tickets: Tickets
  readonly close: () => Promise<void>
}
