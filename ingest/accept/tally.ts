/** Numbers of a document's items by outcome, all 0. */
export const emptyTally = () => ({
  new: 0,
  revised: 0,
  /** Figures that the publisher has taken back. */
  withdrawn: 0,
  /** Prints from before the one on record. */
  late: 0,
  /** Prints on record that got a better date. */
  redated: 0,
  unchanged: 0,
  rejected: 0,
  /** Figures and prices that are held for review, because they are implausible. */
  held: 0,
  prices: 0,
  /** Prices that take the place of others of the same time. */
  restated: 0,
  /**
   * Prices that are older than the newest of their source, which does not restate its history. They are on record already, or
   * are not recorded.
   */
  older: 0,
  /**
   * Other prices than those on record for the same times, of a source that restates its history, in a document that does not take
   * their place: an earlier edition, or one of the same day.
   */
  outdated: 0,
  /** Prices of symbols that the service doesn't serve, such as retired currencies. */
  unserved: 0,
})
export type Tally = ReturnType<typeof emptyTally>

export function addTally(total: Tally, more: Tally): void {
  // Cast: `Object.keys` returns string[] whatever the object's type.
  for (const outcome of Object.keys(total) as (keyof Tally)[]) total[outcome] += more[outcome]
}
