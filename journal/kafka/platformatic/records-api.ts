/** Produce (version 11) and Fetch (version 12) with record batches as bytes. https://kafka.apache.org/protocol.html */
import {
  type Connection,
  createAPI,
  fetchV12,
  produceV11,
  protocolErrorsCodesById,
  type Reader,
  Writer,
} from '@platformatic/kafka'
import type { PartitionAddress } from '../../journal.ts'
import { type Fetched, type FetchOptions, KafkaFailure } from '../client.ts'

const ACKS_ALL = -1
/** Kafka's error THROTTLING_QUOTA_EXCEEDED. */
const THROTTLED = 89
const [INT32, INT64] = [4, 8]
/** Id and epoch that mean no fetch session. */
const [NO_SESSION, SESSIONLESS] = [0, -1]

const produceApi = createAPI<Parameters<typeof produceRequest>, ReturnType<typeof produceV11.parseResponse>>(
  0,
  11,
  produceRequest,
  produceV11.parseResponse,
)
const fetchApi = createAPI<Parameters<typeof fetchV12.createRequest>, Fetched>(
  1,
  12,
  fetchV12.createRequest,
  parseFetch,
)

/** Returns the offset of the first record. */
export async function produceRecords(
  connection: Connection,
  address: PartitionAddress,
  batch: Buffer,
  transactionalId: string | null,
  timeoutMs: number,
): Promise<number> {
  const { responses } = await produceApi.async(connection, address, batch, transactionalId, timeoutMs)
  return Number(responses[0]?.partitionResponses[0]?.baseOffset)
}

function produceRequest(
  { topic, partition }: PartitionAddress,
  batch: Buffer,
  transactionalId: string | null,
  timeoutMs: number,
): Writer {
  const writePartition = (writer: Writer) => writer.appendInt32(partition).appendBytes(batch)
  return Writer.create()
    .appendString(transactionalId)
    .appendInt16(ACKS_ALL)
    .appendInt32(timeoutMs)
    .appendArray([topic], (writer) => writer.appendString(topic).appendArray([partition], writePartition))
    .appendTaggedFields()
}

export function fetchRecords(
  connection: Connection,
  { topic, partition }: PartitionAddress,
  offset: number,
  { maxBytes, waitMs, isolation }: FetchOptions,
): Promise<Fetched> {
  const asked = { partition, currentLeaderEpoch: -1, fetchOffset: BigInt(offset), lastFetchedEpoch: -1 }
  const topics = [{ topicId: topic, partitions: [{ ...asked, partitionMaxBytes: maxBytes }] }]
  const level = isolation === 'committed' ? 1 : 0
  return fetchApi.async(connection, waitMs, 1, maxBytes, level, NO_SESSION, SESSIONLESS, topics, [], '')
}

/** Reads a fetch response up to the end of its record batches. The package's own parser would decode every record. */
function parseFetch(_correlationId: number, _apiKey: number, _apiVersion: number, reader: Reader): Fetched {
  reader.skip(INT32)
  refuseIf(reader.readInt16())
  reader.skip(INT32)
  // Kafka answers a client over its quota without the partition, and without an error.
  if (reader.readUnsignedVarInt() <= 1) refuseIf(THROTTLED)
  reader.readString()
  reader.readUnsignedVarInt()
  reader.skip(INT32)
  refuseIf(reader.readInt16())
  reader.skip(INT64)
  const lastStableOffset = Number(reader.readInt64())
  reader.skip(INT64)
  const readAborted = () => ({ producerId: reader.readInt64(), firstOffset: Number(reader.readInt64()) })
  const aborted = reader.readArray(readAborted)
  reader.skip(INT32)
  return { lastStableOffset, aborted, bytes: reader.readBytes() }
}

function refuseIf(errorCode: number): void {
  if (errorCode === 0) return
  const type = protocolErrorsCodesById[errorCode] ?? 'UNKNOWN'
  throw new KafkaFailure('refused', type, `error ${errorCode} in the response to a fetch`)
}
