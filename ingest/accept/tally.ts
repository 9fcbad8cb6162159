/** Number of a document's items by outcome. */
export type Tally = {
  new: number
  revised: number
  /** Figures that the publisher has taken back. */
  withdrawn: number
  /** Prints from before the one on record. */
  late: number
  /** Prints on record that got a better date. */
  redated: number
  unchanged: number
  rejected: number
  /** Figures and prices that are held for review, because they are implausible. */
  held: number
  prices: number
  /** Prices that take the place of others of the same time. */
  restated: number
  /**
   * Prices that are older than the newest of their source, which does not restate its history. They are on record already, or
   * are not recorded.
   */
  older: number
  /**
   * Other prices than those on record for the same times, of a source that restates its history, in a document that does not take
   * their place: an earlier edition, or one of the same day.
   */
  outdated: number
  /** Prices of symbols that the service doesn't serve, such as retired currencies. */
  unserved: number
}
export const emptyTally = (): Tally => ({
  new: 0,
  revised: 0,
  withdrawn: 0,
  late: 0,
  redated: 0,
  unchanged: 0,
  rejected: 0,
  held: 0,
  prices: 0,
  restated: 0,
  older: 0,
  outdated: 0,
  unserved: 0,
})

/** Adds the numbers of `more` to `total`. */
export function addTally(total: Tally, more: Tally): void {
  // Cast: `Object.keys` returns string[] whatever the object's type.
  for (const outcome of Object.keys(total) as (keyof Tally)[]) total[outcome] += more[outcome]
}
