/** How to reach Kafka, and what to tell about it. */
export type KafkaConnection = {
  /** `host:port` of some of the nodes; the others are learned from them. */
  readonly brokers: readonly string[]
  /** What the brokers' logs call us. */
  readonly clientId: string
  /** `true`: TLS with the system's authorities; PEM texts otherwise. Absent: plain text. */
  readonly tls?: true | { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
    readonly username: string
    readonly password: string
  }
  /** How long a node may take to answer before its connection is given up. */
  readonly requestMs?: number
  readonly log?: KafkaLog
}

export type KafkaLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  details: Readonly<Record<string, unknown>>,
) => void

export type KafkaJournalOptions = KafkaConnection & {
  /** The package that Kafka is spoken to with; `platformatic`: @platformatic/kafka. Default `kafkajs`. */
  readonly client?: 'kafkajs' | 'platformatic'
  /** Of the journal's own topics, `journal` and `heartbeats`, and of its transactional ids. */
  readonly prefix: string
  /** How long a live process may go without a heartbeat (a fifth of this) before its claims pass on. */
  readonly claimExpiryMs?: number
  /** How long an append or a transaction is tried before it fails. */
  readonly patienceMs?: number
  /** False: `no_journal` where there is none, and nothing is created. */
  readonly create?: boolean
}
