import { pause } from '../../base/async/pause.ts'
import { systemTime } from '../../base/time.ts'
import type { Health } from '../../contracts/resources.ts'
import { inTime } from './in-time.ts'

/** Checks whether a part works. Throws or rejects if it does not answer; returns a text if it reports a fault itself. */
export type Probe = () => unknown

type Part = 'journal' | 'read_models' | 'access'

/** Pauses between probes while all parts are well, and while one is not, ms. They limit the queries that a probe costs. */
const EVERY_MS = 5_000
const SOON_MS = 1_000

/** Result of the latest probe of each part. */
export class HealthWatch {
  readonly #probes: Readonly<Record<Part, Probe>>
  readonly #states: Record<Part, string> = {
    journal: 'starting',
    read_models: 'starting',
    access: 'starting',
  }

  constructor(probes: Readonly<Record<Part, Probe>>) {
    this.#probes = probes
  }

  async run(signal: AbortSignal): Promise<void> {
    // Cast: `Object.keys` returns string[] whatever the object's type.
    const names = Object.keys(this.#probes) as Part[]
    while (!signal.aborted) {
      await Promise.all(
        names.map(async (name) => {
          this.#states[name] = await inTime(() => this.#probes[name]()).then(
            (state) => (typeof state === 'string' ? state : 'ok'),
            () => 'unavailable',
          )
        }),
      )
      await pause(this.#isWell() ? EVERY_MS : SOON_MS, signal, systemTime)
    }
  }

  #isWell(): boolean {
    return Object.values(this.#states).every((state) => state === 'ok')
  }

  /**
   * What `/health` says. `complete` is true once everything is answered, or what a start waits for, so that `/ready` and
   * `/health` never say different things. `dataAsOf`: empty until all figures are in memory, as older ones come first.
   */
  report(version: string, dataAsOf: string, complete: true | string): Health {
    const isOk = complete === true && this.#isWell()
    const starting = complete === true ? {} : { starting: complete }
    return { status: isOk ? 'ok' : 'degraded', version, ...this.#states, ...starting, data_as_of: dataAsOf }
  }
}
