/** Produce (version 7) and Fetch (version 11) with record batches as bytes. https://kafka.apache.org/protocol.html */
import type { PartitionAddress } from '../../journal.ts'
import { type Fetched, type FetchOptions, KafkaFailure } from '../client.ts'
import { createErrorFromCode, Decoder, Encoder, type JoinRequest, type Protocol, requests } from './private.ts'

type Produced = { readonly errorCode: number; readonly baseOffset: number }
type FetchAnswer = Fetched & { readonly errorCode: number }

const ACKS_ALL = -1
/** Kafka's error THROTTLING_QUOTA_EXCEEDED. */
const THROTTLED = 89
/** Kafka's error for a partition of a request in which another partition was refused. */
const OPERATION_NOT_ATTEMPTED = 55
const raw = async (decoded: unknown) => decoded

export function produceProtocol(
  { topic, partition }: PartitionAddress,
  batch: Buffer,
  transactionalId: string | null,
  timeoutMs: number,
): Protocol {
  const encode = async () =>
    new Encoder()
      .writeString(transactionalId)
      .writeInt16(ACKS_ALL)
      .writeInt32(timeoutMs)
      .writeInt32(1)
      .writeString(topic)
      .writeInt32(1)
      .writeInt32(partition)
      .writeBytes(batch)
  const decode = async (payload: Buffer) => {
    const decoder = new Decoder(payload)
    for (const skip of ['readInt32', 'readString', 'readInt32', 'readInt32'] as const) decoder[skip]()
    return { errorCode: decoder.readInt16(), baseOffset: toNumber(decoder) } satisfies Produced
  }
  return { request: { apiKey: 0, apiVersion: 7, apiName: 'Produce', encode }, response: { decode, parse: raw } }
}

export function parseProduce(answer: unknown): number {
  const { errorCode, baseOffset } = answer as Produced
  refuseIf(errorCode)
  return baseOffset
}

export function fetchProtocol(
  { topic, partition }: PartitionAddress,
  offset: number,
  { maxBytes, waitMs, isolation }: FetchOptions,
): Protocol {
  const partitions = [{ partition, fetchOffset: String(offset), maxBytes }]
  const { request } = requests.Fetch.protocol({ version: 11 })({
    replicaId: -1,
    maxWaitTime: waitMs,
    minBytes: 1,
    maxBytes,
    isolationLevel: isolation === 'committed' ? 1 : 0,
    topics: [{ topic, partitions }],
  })
  return { request, response: { decode: decodeFetch, parse: raw } }
}

async function decodeFetch(payload: Buffer): Promise<FetchAnswer> {
  const decoder = new Decoder(payload)
  decoder.readInt32()
  const sessionError = decoder.readInt16()
  decoder.readInt32()
  // Kafka answers a client over its quota without the partition, and without an error.
  if (sessionError !== 0 || decoder.readInt32() === 0) return { ...nothing, errorCode: sessionError || THROTTLED }
  for (const skip of ['readString', 'readInt32', 'readInt32'] as const) decoder[skip]()
  const errorCode = decoder.readInt16()
  toNumber(decoder)
  const lastStableOffset = toNumber(decoder)
  toNumber(decoder)
  const aborted = Array.from({ length: Math.max(0, decoder.readInt32()) }, () => ({
    producerId: BigInt(decoder.readInt64().toString()),
    firstOffset: toNumber(decoder),
  }))
  decoder.readInt32()
  const bytes = decoder.readBytes(Math.max(0, decoder.readInt32()))
  return { errorCode, lastStableOffset, aborted, bytes }
}

/**
 * AddPartitionsToTxn (version 1). kafkajs would throw the first error, which may be OPERATION_NOT_ATTEMPTED instead of
 * the cause.
 */
export function joinProtocol(asked: JoinRequest): Protocol {
  const { request, response } = requests.AddPartitionsToTxn.protocol({ version: 1 })(asked)
  return { request, response: { decode: (payload) => response.decode(payload), parse: raw } }
}

type Joined = { readonly errors: readonly { readonly partitionErrors: readonly { readonly errorCode: number }[] }[] }

export function parseJoin(answer: unknown): void {
  const codes = (answer as Joined).errors.flatMap(({ partitionErrors }) =>
    partitionErrors.flatMap(({ errorCode }) => (errorCode === 0 ? [] : [errorCode])),
  )
  refuseIf(codes.find((code) => code !== OPERATION_NOT_ATTEMPTED) ?? codes[0] ?? 0)
}

const nothing: Fetched = { bytes: Buffer.alloc(0), aborted: [], lastStableOffset: -1 }

export function parseFetch(answer: unknown): Fetched {
  const { errorCode, ...fetched } = answer as FetchAnswer
  refuseIf(errorCode)
  return fetched
}

const toNumber = (decoder: Decoder): number => Number(decoder.readInt64().toString())

function refuseIf(errorCode: number): void {
  if (errorCode === 0) return
  const { type, message } = createErrorFromCode(errorCode)
  throw new KafkaFailure('refused', typeOf(type, message), message)
}

/** Names of errors that kafkajs does not know. It puts their number into the message. */
const newer: Readonly<Record<string, string>> = {
  89: 'THROTTLING_QUOTA_EXCEEDED',
  90: 'PRODUCER_FENCED',
  120: 'TRANSACTION_ABORTABLE',
}

/** Kafka's current names of errors to which kafkajs gives another name. */
const renamed: Readonly<Record<string, string>> = {
  UNKNOWN: 'UNKNOWN_SERVER_ERROR',
  NOT_LEADER_FOR_PARTITION: 'NOT_LEADER_OR_FOLLOWER',
  GROUP_LOAD_IN_PROGRESS: 'COORDINATOR_LOAD_IN_PROGRESS',
  GROUP_COORDINATOR_NOT_AVAILABLE: 'COORDINATOR_NOT_AVAILABLE',
  NOT_COORDINATOR_FOR_GROUP: 'NOT_COORDINATOR',
}

/** Returns Kafka's name of an error from its type and message in kafkajs. */
export function typeOf(type: string, message: string): string {
  if (type !== 'KAFKAJS_UNKNOWN_ERROR_CODE') return renamed[type] ?? type
  return newer[/\d+/.exec(message)?.[0] ?? ''] ?? 'UNKNOWN'
}
