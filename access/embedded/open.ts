import { systemTime, type Time } from '../../base/time.ts'
import type { Access } from '../access.ts'
import { InProcessBurst } from './burst.ts'
import { AccessEnvironment } from './environment.ts'
import { EmbeddedLeases } from './leases.ts'
import { EmbeddedQuota } from './quota.ts'
import { EmbeddedRevocations } from './revocations.ts'
import { EmbeddedTickets } from './tickets.ts'

/** Opens the access ports on `dir`, which all processes of one machine share. Rejects with AccessError `unavailable`. */
export async function openEmbeddedAccess(dir: string, time: Time = systemTime): Promise<Access> {
  return accessOn(await AccessEnvironment.open(dir, time))
}

/** The access ports on an environment, which `close` closes. */
export function accessOn(environment: AccessEnvironment): Access {
  const revocations = new EmbeddedRevocations(environment)
  const quota = new EmbeddedQuota(environment, revocations)
  return {
    quota,
    revocations,
    leases: new EmbeddedLeases(environment, revocations),
    tickets: new EmbeddedTickets(environment, revocations),
    burst: new InProcessBurst(),
    close: async () => {
      await quota.close()
      await environment.close()
    },
  }
}
