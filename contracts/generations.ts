/**
 * A restored journal is a new generation of it: it has the records of the backup and goes on by itself, while another
 * copy may have gone on differently. The first generation of a journal is not listed and has no id.
 */
export type Generation = {
  readonly id: string
  readonly branch: Branch
}

/** Where a generation left the one before it: everything before these places is common to both. */
export type Branch = {
  /** Sequence of the next event. 0 if it is not known, because no event was kept: then no event counts as common. */
  readonly event: number
  /** End of each partition, by `topic/partition` without a prefix. */
  readonly ends: Readonly<Record<string, number>>
}
