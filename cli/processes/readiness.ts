/** Stages of a start in order, each with the text that tells a client what the node is waiting for. */
const reasons = {
  memory: 'the keys, figures and prices in memory are still being loaded',
  demo: 'the demo’s keys and sample are still being checked',
  sample: 'the bundled sample is still being loaded',
  derived: 'the figures that follow from those on record are still being computed',
  readModels: 'the read models are still catching up with the journal',
  prices: 'the first prices have not arrived yet',
} as const
type Stage = keyof typeof reasons
// A cast, because `Object.keys` forgets the type of the keys.
export const stages = Object.keys(reasons) as Stage[]

/** Stages of a start that have been reached. */
export class Readiness {
  readonly #awaited: Set<Stage>

  constructor(awaited: readonly Stage[]) {
    this.#awaited = new Set(awaited)
  }

  reach(stage: Stage): void {
    this.#awaited.delete(stage)
  }

  /** Returns true once every operation is answered, histories and prices included; otherwise the reason for waiting. */
  complete(): true | string {
    return this.#firstOf(stages)
  }

  /** Returns true once operations that read memory only are answered; otherwise the reason for waiting. */
  answering(): true | string {
    return this.#firstOf(['memory', 'demo', 'sample', 'derived'])
  }

  #firstOf(some: readonly Stage[]): true | string {
    const awaited = some.find((stage) => this.#awaited.has(stage))
    return awaited === undefined || reasons[awaited]
  }
}
