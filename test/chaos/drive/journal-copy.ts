import { createHash, type Hash } from 'node:crypto'
import type { EventValue, Line, RejectedValue, ReleaseValue, SignalValue, TickValue } from '../journal-lines.ts'
import { mustRun } from './program.ts'

type Part = { readonly lines: Line<unknown>[]; readonly bytes: Hash }

const tickPartitions = [0, 1, 2, 3, 4, 5] as const
const COMMANDS_AT_ONCE = 4

/** Records that `almanac replay` has printed so far, read on from where the last look ended. */
export class JournalCopy {
  readonly #settings: Readonly<Record<string, string>>
  readonly #parts = new Map<string, Part>()

  constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings
  }

  get releases(): readonly Line<ReleaseValue>[] {
    return this.#part('releases', 0).lines as Line<ReleaseValue>[]
  }
  get events(): readonly Line<EventValue>[] {
    return this.#part('events', 0).lines as Line<EventValue>[]
  }
  get signals(): readonly Line<SignalValue>[] {
    return this.#part('signals', 0).lines as Line<SignalValue>[]
  }
  get quarantine(): readonly Line<RejectedValue>[] {
    return this.#part('quarantine', 0).lines as Line<RejectedValue>[]
  }
  /** By partition. */
  get ticks(): readonly (readonly Line<TickValue>[])[] {
    return tickPartitions.map((partition) => this.#part('ticks', partition).lines as Line<TickValue>[])
  }

  /** Reads a partition on to its end. */
  async #readOn(topic: string, partition = 0): Promise<void> {
    const part = this.#part(topic, partition)
    const last = part.lines.at(-1)
    const from = last ? ['--from', String(last.offset + 1)] : []
    const text = await mustRun(['replay', topic, '--partition', String(partition), ...from], this.#settings)
    part.bytes.update(text)
    for (const line of text.split('\n')) if (line !== '') part.lines.push(JSON.parse(line) as Line<unknown>)
  }

  /** Reads all partitions on to their ends. */
  async readAllOn(): Promise<void> {
    await allOf([
      ...tickPartitions.map((partition) => () => this.#readOn('ticks', partition)),
      () => this.#readOn('quarantine'),
    ])
    await this.#readEventsOn()
  }

  /** As `readAllOn`, but of the partitions of ticks only those that have had prices. */
  async readBusyOn(): Promise<void> {
    const busy = tickPartitions.filter((partition) =>
      this.ticks[partition]?.some(({ value }) => value.kind === 'price'),
    )
    await allOf([...busy.map((partition) => () => this.#readOn('ticks', partition)), () => this.#readOn('quarantine')])
    await this.#readEventsOn()
  }

  /** The events first: each of them has its cause among what is read after it. */
  async #readEventsOn(): Promise<void> {
    await this.#readOn('events')
    await allOf([() => this.#readOn('signals'), () => this.#readOn('releases')])
  }

  /** Prints a partition anew up to where it was read. Other bytes mean that the journal changed what it had shown. */
  async #reread(topic: string, partition = 0): Promise<string[]> {
    const { lines, bytes } = this.#part(topic, partition)
    const last = lines.at(-1)
    if (!last) return []
    const to = String(last.offset + 1)
    const text = await mustRun(['replay', topic, '--partition', String(partition), '--to', to], this.#settings)
    const isSame = createHash('sha256').update(text).digest('hex') === bytes.copy().digest('hex')
    return isSame ? [] : [`${topic}/${partition} no longer replays to the same bytes`]
  }

  async rereadAll(): Promise<string[]> {
    const topics = ['signals', 'releases', 'events', 'quarantine']
    const found = await allOf([
      ...topics.map((topic) => () => this.#reread(topic)),
      ...tickPartitions.map((partition) => () => this.#reread('ticks', partition)),
    ])
    return found.flat()
  }

  #part(topic: string, partition: number): Part {
    const name = `${topic}/${partition}`
    const known = this.#parts.get(name)
    if (known) return known
    const part: Part = { lines: [], bytes: createHash('sha256') }
    this.#parts.set(name, part)
    return part
  }
}

/** Does all tasks, some at a time, and resolves with their results in order. */
async function allOf<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let i = next++; i < tasks.length; i = next++) results[i] = await (tasks[i] as () => Promise<T>)()
  }
  await Promise.all(Array.from({ length: COMMANDS_AT_ONCE }, work))
  return results
}
