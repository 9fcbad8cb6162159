import { inject } from 'vitest'
import type { Certificate } from './certificates.ts'
import type { FirstStart } from './first-start.ts'

/**
 * Servers that the files of a run share, each with names of its own in them: the first file that asks for one starts it.
 * A suite that kills, stops, fills or sets up its server starts one for itself.
 */
export type SharedServers = {
  /** A node that keeps records of any age, compacts at once, and listens with TLS as well. */
  readonly kafka: {
    readonly brokers: readonly string[]
    readonly tlsBrokers: { readonly sasl: readonly string[]; readonly mutual: readonly string[] }
    /** Certificate of the authority that the node trusts, and a client's that it has signed. */
    readonly authority: string
    readonly client: Certificate
    readonly user: string
    readonly password: string
  }
  readonly registry: { readonly url: string }
  /** An empty database: each answer names another one. */
  readonly redis: { readonly url: string }
  /** A store without a password, for databases of random names. */
  readonly store: { readonly url: string }
  /** A data directory to copy: a service of the demo has loaded the whole sample into it, has caught up and has stopped. */
  readonly sample: { readonly dataDir: string; readonly firstStart: FirstStart }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for a server; test/support/shared-servers-setup.ts answers. */
    readonly sharedServers: string
  }
}

export async function sharedServer<Name extends keyof SharedServers>(name: Name): Promise<SharedServers[Name]> {
  const response = await fetch(`${inject('sharedServers')}/${name}`)
  if (!response.ok) throw new Error(`the shared ${name} did not start: ${await response.text()}`)
  // A cast, because the setup answers with what its type says.
  return (await response.json()) as SharedServers[Name]
}
