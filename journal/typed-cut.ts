import { partitionsOf, type Topic, topicNames } from '../contracts/topics.ts'
import type { FindVersion } from './copy-schemas.ts'
import { type Cut, type Journal, partitionKey } from './journal.ts'
import { type PortableRecord, portableRecords } from './portable-records.ts'

/** A cut of all topics: by `topic/partition` without the prefix, with portable records. */
export type TypedCut = Omit<Cut, 'tails'> & {
  readonly tails: Readonly<Record<string, readonly PortableRecord[]>>
}

/** Takes a cut of all topics with a prefix. `tails`: from where on it holds records, by `topic/partition`. */
export async function typedCut(
  journal: Pick<Journal, 'cut'>,
  prefix: string,
  findVersion: FindVersion,
  tails: Readonly<Record<string, number>>,
): Promise<TypedCut> {
  const addresses = topicNames.flatMap((topic) => addressesOf(topic, prefix))
  const cut = await journal.cut(
    addresses.map(({ address, name }) => {
      const { [name]: tail } = tails
      return tail === undefined ? address : { ...address, tail }
    }),
  )
  /** Values by their partition's name, without those of other topics. */
  const named = <V>(values: Readonly<Record<string, V>>): Record<string, V> =>
    Object.fromEntries(
      addresses.flatMap(({ key, name }) => {
        const { [key]: value } = values
        return value === undefined ? [] : [[name, value]]
      }),
    )
  const portable: Record<string, readonly PortableRecord[]> = {}
  for (const { topic, key, name } of addresses) {
    const { [key]: records } = cut.tails
    if (records) portable[name] = await portableRecords(topic, records, findVersion)
  }
  return {
    bounds: named(cut.bounds),
    tails: portable,
    claims: cut.claims.map((claim) => ({ ...claim, positions: named(claim.positions) })),
  }
}

/** The partitions of a topic, each with its key in a `Cut` and its name without the prefix. */
const addressesOf = (topic: Topic, prefix: string) =>
  partitionsOf(topic).map((partition) => {
    const address = { topic: prefix + topic, partition }
    return { topic, address, key: partitionKey(address), name: partitionKey({ topic, partition }) }
  })
