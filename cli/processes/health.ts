import { pause } from '../../base/async/pause.ts'
import type { Health } from '../../contracts/resources.ts'
import { inTime } from './in-time.ts'

/** Asks a part for a sign of life; throws or rejects if there is none. A text is what it says of itself if it isn't well. */
export type Probe = () => unknown

type Part = 'journal' | 'read_models' | 'access'

/** How long a part that is well is not asked again, and one that isn't, ms: to ask the read models costs a query. */
const EVERY_MS = 5_000
const SOON_MS = 1_000

/** What each part said when it was last asked. */
export class HealthWatch {
  readonly #probes: Readonly<Record<Part, Probe>>
  readonly #said: Record<Part, string> = {
    journal: 'starting',
    read_models: 'starting',
    access: 'starting',
  }

  constructor(probes: Readonly<Record<Part, Probe>>) {
    this.#probes = probes
  }

  async run(signal: AbortSignal): Promise<void> {
    const names = Object.keys(this.#probes) as Part[]
    while (!signal.aborted) {
      await Promise.all(
        names.map(async (name) => {
          this.#said[name] = await inTime(() => this.#probes[name]()).then(
            (said) => (typeof said === 'string' ? said : 'ok'),
            () => 'unavailable',
          )
        }),
      )
      await pause(this.#isWell() ? EVERY_MS : SOON_MS, signal)
    }
  }

  #isWell(): boolean {
    return Object.values(this.#said).every((state) => state === 'ok')
  }

  report(version: string, dataAsOf: string): Health {
    return { status: this.#isWell() ? 'ok' : 'degraded', version, ...this.#said, data_as_of: dataAsOf }
  }
}
