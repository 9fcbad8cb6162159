import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Journal, PartitionAddress, Position } from '../../../journal/journal.ts'
import { readAll, record, textsOf } from '../../contracts/support/journal-world.ts'
import { API, type Fault, type KafkaProxy } from './kafka-proxy.ts'

const ACTIONS = ['lose request', 'lose answer', 'lose answer and cut'] as const
const OF_TRANSACTIONS = [API.addPartitions, API.produce, API.endTxn, API.listOffsets] as const

/**
 * Appends, transactions and changes of owner, one after the other, each with a request of its kind or the answer to it lost
 * once or twice. Expects each loss to have happened, and each write to be there once, where it was said, with its position.
 * Returns the number of losses by what was lost.
 *
 * `journal` sees Kafka through `proxy` and beats so rarely that what is lost is never a heartbeat; the partition is nobody
 * else's, and so is its neighbour, the next one.
 */
export async function loseResponses(
  { proxy, journal }: { readonly proxy: KafkaProxy; readonly journal: Journal },
  address: PartitionAddress,
  cases: number,
  random: () => number,
): Promise<Map<string, number>> {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  const neighbour = { ...address, partition: address.partition + 1 }
  const lost = new Map<string, number>()
  const [appended, transacted]: [number, string][][] = [[], []]
  let claim = await journal.claim(`claim-${randomUUID()}`)
  await journal.append({ ...address, records: [record('warm')] })
  let next = 0

  const append = async (text: string) => {
    const { firstOffset } = await journal.append({ ...address, records: [record(text)] })
    appended?.push([firstOffset, text])
  }
  const transact = async (text: string) => {
    const position: Position = { ...neighbour, offset: ++next }
    const writes = [address, neighbour].map((at) => ({ ...at, records: [record(text), record(`${text}+`)] }))
    const [own, other] = await journal.transact(claim, writes, [position])
    for (const [i, each] of [text, `${text}+`].entries()) {
      appended?.push([(own?.firstOffset as number) + i, each])
      transacted?.push([(other?.firstOffset as number) + i, each])
    }
  }
  const changeHands = async () => {
    await claim.release()
    claim = await journal.claim(claim.name)
  }
  const kinds = [
    ...OF_TRANSACTIONS.map((api) => ({ name: 'transaction', api, run: transact })),
    ...[1, 2].map(() => ({ name: 'append', api: API.produce, run: append })),
    { name: 'claim', api: API.initProducerId, run: changeHands },
  ]
  for (let i = 0; i < cases; i++) {
    const { name, api, run } = pick(kinds)
    const fault: Fault = { apis: [api], action: pick(ACTIONS), count: pick([1, 1, 1, 2]) }
    const told = `${name}: ${fault.action}, ${api}`
    proxy.arm(fault)
    await run(`${i}`)
    expect(proxy.hits, told).toBeGreaterThan(0)
    lost.set(told, (lost.get(told) ?? 0) + 1)
    proxy.heal()
    expect(await claim.position(neighbour), told).toBe(next === 0 ? undefined : next)
  }
  for (const [at, expected] of [
    [address, [[0, 'warm'], ...(appended ?? [])]],
    [neighbour, transacted],
  ] as const) {
    const { records } = await readAll(journal, at)
    const texts = textsOf(records)
    expect(records.map(({ offset }, i) => [offset, texts[i]])).toEqual(expected)
  }
  return lost
}
