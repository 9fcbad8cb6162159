/** How to reach Kafka, and the log for what happens on the way. */
export type KafkaConnection = {
  /** `host:port` of some of the nodes, which name the others. */
  readonly brokers: readonly string[]
  /** Name of this program in the brokers' logs. */
  readonly clientId: string
  /** `true`: TLS with the system's authorities; PEM texts otherwise. Absent: plain text. */
  readonly tls?: true | { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
    readonly username: string
    readonly password: string
  }
  /** Longest that a node may take to answer before its connection is closed, ms. */
  readonly requestMs?: number
  readonly log?: KafkaLog
}

export type KafkaLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  details: Readonly<Record<string, unknown>>,
) => void

export type KafkaJournalOptions = KafkaConnection & {
  /** Client package; `platformatic` means @platformatic/kafka. Default `kafkajs`. */
  readonly client?: 'kafkajs' | 'platformatic'
  /** Prefix of the journal's own topics, `journal` and `heartbeats`, and of its transactional ids. */
  readonly prefix: string
  /** Longest silence of an owner before its claims pass to a contender, ms. Heartbeats are written every fifth of this. */
  readonly claimExpiryMs?: number
  /** Longest that an append or a transaction is retried before it fails, ms. */
  readonly patienceMs?: number
  /** Longest that the release of a claim waits for Kafka, ms. Default 1,200, for a process that has to end. */
  readonly releaseMs?: number
  /** False: creates nothing, and throws `no_journal` if there is no journal. Default true. */
  readonly create?: boolean
}
