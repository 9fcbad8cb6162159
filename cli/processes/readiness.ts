/** What a node waits for after its start, in this order, as the end of a sentence that says so. */
const reasons = {
  memory: 'the keys, figures and prices in memory are still being loaded',
  demo: 'the demo’s keys and sample are still being looked for',
  sample: 'the bundled sample is still being loaded',
  readModels: 'the read models are still catching up with the journal',
  prices: 'the first prices are still awaited',
} as const
type Stage = keyof typeof reasons
export const stages = Object.keys(reasons) as Stage[]

/** Which of the stages of a start have been reached. */
export class Readiness {
  readonly #awaited: Set<Stage>

  constructor(awaited: readonly Stage[]) {
    this.#awaited = new Set(awaited)
  }

  reach(stage: Stage): void {
    this.#awaited.delete(stage)
  }

  /** True once every operation is answered, histories and prices included; else what is awaited. */
  complete(): true | string {
    return this.#firstOf(stages)
  }

  /** True once what is in memory can be answered from, however far the read models are; else what is awaited. */
  answering(): true | string {
    return this.#firstOf(['memory', 'demo', 'sample'])
  }

  #firstOf(some: readonly Stage[]): true | string {
    const awaited = some.find((stage) => this.#awaited.has(stage))
    return awaited === undefined || reasons[awaited]
  }
}
