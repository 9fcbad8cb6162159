import { yearOf } from './period.ts'

/** A country's indicator of a period, which a record is about. */
type About = { readonly country: string; readonly indicator: string; readonly period: string }

/**
 * Number of records about each indicator of a country, in all and by the year of their periods. While a number stays the
 * same, so does everything that follows from these records alone.
 */
export class ChangeCounts {
  readonly #counts: Map<string, number>

  constructor(counts = new Map<string, number>()) {
    this.#counts = counts
  }

  /** The numbers as plain data, of which others like these can be made. */
  get plain(): Map<string, number> {
    return this.#counts
  }

  note({ country, indicator, period }: About): void {
    for (const key of [keyOf(country, indicator, ''), keyOf(country, indicator, yearOf(period))])
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** The number of those about a year, or without one of all. */
  of(country: string, indicator: string, year = ''): number {
    return this.#counts.get(keyOf(country, indicator, year)) ?? 0
  }
}

const keyOf = (country: string, indicator: string, year: string): string => `${country}/${indicator}/${year}`
