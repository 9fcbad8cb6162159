/** What the overview shows besides samples. Times are UTC milliseconds; `unavailable` is what does not answer. */
export type OverviewFacts = {
  readonly process: {
    readonly roles: readonly string[]
    /** Whether every part ran when the newest sample was taken, as `/ready` says it. */
    readonly isReady: boolean
    /** Whether other processes may own what this one runs too. */
    readonly isShared: boolean
    readonly startedAt: number
    /** The process of the streams on the same machine; undefined if there is none, or if this is it. */
    readonly streams: StreamsProcess | undefined
  }
  readonly versions: readonly { readonly name: string; readonly version: string }[]
  /** Version of the engine of the read models. Undefined where none is read. */
  readonly engine: string | 'unavailable' | undefined
  /** Undefined where no request is charged, or as long as the keys are being loaded. */
  readonly quota: Quotas | 'unavailable' | undefined
  /** Undefined where no schedule runs. */
  readonly sources: readonly SourceState[] | 'unavailable' | undefined
  /** Undefined in the process of the streams. */
  readonly backup: BackupState | undefined
  /** Undefined without the role `archive`, or without a place for one. */
  readonly archive: ArchiveState | undefined
}

export type Quotas = { readonly accounts: number; readonly mostUsed: readonly AccountUse[] }

/** Calls of an account in this month. Never a key, only ids. */
export type AccountUse = {
  readonly account: string
  readonly keyIds: readonly string[]
  readonly owner: string
  readonly plan: string
  readonly used: number
  readonly limit: number
}

export type SourceState = {
  readonly source: string
  readonly jobs: number
  readonly running: number
  /** When one of its jobs last succeeded or, of those whose last run failed, its publisher last answered. */
  readonly succeededAt: number | null
  readonly failing: readonly FailingJob[]
  /** The earliest of its jobs; null while all of them run. */
  readonly nextAt: number | null
}

export type FailingJob = {
  readonly job: string
  readonly failedAt: number
  readonly attempt: number
  readonly error: string
  /** Null while it runs again. */
  readonly nextAt: number | null
}

/** Backups with the data directory of this process. `begunAt`: a run that has not finished, or was interrupted. */
export type BackupState = {
  readonly finished: { readonly takenAt: number; readonly place: string } | null
  readonly begunAt: number | null
}

export type ArchiveState = {
  readonly place: string
  /** Null before the first segment, and while another process archives. */
  readonly sealedAt: number | null
  readonly isOwner: boolean
  readonly fault: string | null
}

/**
 * What an operator should do. `alerts`: at least one fires. `concerns`: something else should be looked at. `unknown`: the
 * process is not ready, its samples are old, or an alert that it should judge is not judged.
 */
export type ProcessVerdict = 'unknown' | 'alerts' | 'concerns' | 'well'

/** What the process of the streams says of itself on the admin port that it has. */
export type StreamsProcess = {
  readonly port: number
  readonly verdict: ProcessVerdict | 'unavailable'
  readonly open: number
}
