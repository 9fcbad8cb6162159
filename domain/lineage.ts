import type { Branch, Generation } from '../contracts/generations.ts'

/** A place in a journal: the sequence of the next event, or an offset of a partition (`topic/partition`). */
export type Place = { readonly event: number } | { readonly partition: string; readonly offset: number }

/** `superseded`: of another history of this journal, from before or after a restore from a backup. */
export type HistoryFault = 'foreign' | 'superseded'

/** A journal's id, and its generations after the first. */
export type History = { readonly id: string; readonly generations: readonly Generation[] }

/** Name of a generation of a journal; that of the first one is the journal's id. */
export const historyName = (journal: string, generation: string | undefined): string =>
  generation === undefined ? journal : `${journal}/${generation}`

/**
 * The line of a journal's generations. A place is named by the oldest generation that has everything before it. So the
 * name of a place is the same in all generations that share what lies before it, and every name in the line is honoured
 * up to the place where the next generation began.
 */
export class Lineage {
  readonly journal: string
  readonly #recorded: readonly Generation[]
  /** Ids of the generations; the first one has none. */
  readonly #generations: readonly (string | undefined)[]
  readonly #names: readonly string[]
  /** Where the second and each later generation began. */
  readonly #branches: readonly Branch[]

  constructor({ id, generations }: History) {
    this.journal = id
    this.#recorded = generations
    this.#generations = [undefined, ...generations.map((generation) => generation.id)]
    this.#names = this.#generations.map((generation) => historyName(id, generation))
    this.#branches = generations.map(({ branch }) => branch)
  }

  /** The line as it is known on a day, YYYY-MM-DD. Its names are others, so that no cursor leads from one day to another. */
  asOf(day: string): Lineage {
    return new Lineage({ id: `${this.journal}@${day}`, generations: this.#recorded })
  }

  /** Name of the current generation. */
  get name(): string {
    return historyName(this.journal, this.#generations.at(-1))
  }

  /** Id of the oldest generation that has everything before these places; undefined for the first one. */
  generationOf(...places: readonly Place[]): string | undefined {
    // There is one generation more than branches: the current one, at -1.
    return this.#generations.at(this.#branches.findIndex((branch) => areCommon(places, branch)))
  }

  /** Names the journal and that generation. */
  nameOf(...places: readonly Place[]): string {
    return historyName(this.journal, this.generationOf(...places))
  }

  /** Names of the generations, and up to which sequence each of them names events; the last one without an end. */
  get eventNames(): readonly { readonly name: string; readonly last: number }[] {
    let first = 1
    return this.#names.flatMap((name, i) => {
      const last = this.#branches[i]?.event ?? Number.POSITIVE_INFINITY
      if (last < first) return []
      first = last + 1
      return [{ name, last }]
    })
  }

  /** Fault of a name at these places; undefined if everything before them is in this journal. */
  faultOf(name: string, ...places: readonly Place[]): HistoryFault | undefined {
    const at = this.#names.indexOf(name)
    if (at < 0) return name.startsWith(`${this.journal}/`) ? 'superseded' : 'foreign'
    const branch = this.#branches[at]
    return branch && !areCommon(places, branch) ? 'superseded' : undefined
  }

  /**
   * Ends of the partitions where this journal left the history that a name is of; undefined if it did not. A partition that is
   * not listed was empty.
   */
  endsOf(name: string): Branch['ends'] | undefined {
    return this.#branches[this.#names.indexOf(name)]?.ends
  }

  /**
   * Sequence of the event at which this journal left the history that a name is of: from there on a reader of it
   * continues without missing an event. 1 if that is not known.
   */
  branchOf(name: string): number {
    const branch = this.#branches[this.#names.indexOf(name)]
    return Math.max(1, branch?.event ?? 1)
  }
}

/** Whether all before these places was there when a generation began. A partition that is not listed was empty. */
const areCommon = (places: readonly Place[], { event, ends }: Branch): boolean =>
  places.every((place) => ('event' in place ? place.event <= event : place.offset <= (ends[place.partition] ?? 0)))
