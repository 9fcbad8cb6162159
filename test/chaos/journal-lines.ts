/** The lines that `almanac replay` prints, as far as the judges look at them. */
export type Line<V> = {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly headers: Readonly<Record<string, string>>
  readonly value: V
}

export type ReleaseValue = {
  readonly release_id: string
  readonly series: {
    readonly id: string
    readonly indicator: string
    readonly country: string
    /** Empty for a published figure. */
    readonly derivation: string
  }
  readonly period: string
  readonly figures: Readonly<Record<string, string>>
  readonly revises: string | null
  /** Read after a later print. */
  readonly late: boolean
  /** The release with the same figures whose date this one corrects. */
  readonly redates: string | null
}

export type EventValue = {
  readonly sequence: number
  readonly id: string
  readonly type: string
  readonly subject: string
  /** JSON. */
  readonly data: string
}

export type SignalValue = { readonly signal_id: string; readonly type: string; readonly subject: string }

export type TickValue = {
  readonly kind: string
  readonly symbol: string
  readonly source: string
  readonly price: string
  readonly observed_at: string
}

export type RejectedValue = {
  readonly input_id: string
  readonly source: string
  readonly part: number
  readonly reason: string
  readonly retrieved_at: string
  /** Base64. */
  readonly bytes: string
}
