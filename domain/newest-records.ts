import type { Release } from '../contracts/records.ts'

/** Journal offset and `recorded_at` of a record. */
type RecordedAt = { readonly offset: number; readonly recordedAt: string }

/** The newest record of each series, whatever it says. A fold over `releases`, in the order of the journal. */
export class NewestRecords {
  #newest = new Map<string, RecordedAt>()

  note(offset: number, { series, recorded_at }: Release): void {
    this.#newest.set(series.id, { offset, recordedAt: recorded_at })
  }

  of(seriesId: string): RecordedAt | undefined {
    return this.#newest.get(seriesId)
  }

  /** All of it as plain data, which `restore` takes. */
  get plain(): ReadonlyMap<string, RecordedAt> {
    return this.#newest
  }

  restore(newest: ReadonlyMap<string, RecordedAt>): void {
    this.#newest = new Map(newest)
  }
}
