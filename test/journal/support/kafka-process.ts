/**
 * A process that uses the journal on Kafka, to be killed or stopped by a test. Says what it has done as JSON lines on
 * stdout, each written before the next step is taken.
 *
 *   node kafka-process.ts <role> <broker> <topic> <argument> <client> <prefix> [<claim expiry, ms>]
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { JournalError, type NewRecord } from '../../../journal/journal.ts'
import { openKafkaJournal } from '../../../journal/kafka/journal.ts'

const [role, broker = '', topic = '', argument = '', client, prefix = '', claimExpiryMs = '4000'] =
  process.argv.slice(2)
const roles: Record<string, () => Promise<void>> = { contend, count, own, 'own when told': ownWhenTold }

const say = (fact: object) => writeSync(1, `${JSON.stringify(fact)}\n`)
const code = (error: unknown) => (error instanceof JournalError ? error.code : String(error))
const text = (value: string): NewRecord => ({
  key: null,
  value: Buffer.from(value),
  timestamp: Date.now(),
  headers: {},
})
const open = () =>
  openKafkaJournal({
    brokers: [broker],
    clientId: `test-${role}`,
    prefix,
    claimExpiryMs: Number(claimExpiryMs),
    client: client === 'platformatic' ? client : 'kafkajs',
  })

/** Claims one name `argument` times; fails if anybody else takes it before it is released. */
async function contend(): Promise<void> {
  const journal = await open()
  for (let times = Number(argument); times > 0; times--) {
    const claim = await journal.claim(`contended/${topic}`)
    say({ epoch: claim.epoch })
    await journal.transact(claim, [{ topic, partition: 0, records: [text(`${claim.epoch}`)] }])
    await claim.release()
  }
  await journal.close()
}

/** Counts up in transactions until killed: each number to both partitions, and the position moved to it. */
async function count(): Promise<void> {
  const journal = await open()
  const claim = await journal.claim(`counter/${topic}`)
  say({ claimed: claim.epoch })
  const input = { topic, partition: 0 }
  for (let number = ((await claim.position(input)) ?? 0) + 1; ; number++) {
    const writes = [0, 1].map((partition) => ({ topic, partition, records: [text(`${number}`)] }))
    await journal.transact(claim, writes, [{ ...input, offset: number }])
    say({ transaction: number })
  }
}

/** Claims `argument`, says so, then does a transaction for each line on stdin. */
async function own(lines: AsyncIterable<string> = createInterface({ input: process.stdin })): Promise<void> {
  const journal = await open()
  const claim = await journal.claim(argument)
  claim.lost.addEventListener('abort', () => say({ lost: code(claim.lost.reason) }))
  say({ claimed: claim.epoch })
  for await (const line of lines) {
    const outcome = journal
      .transact(claim, [{ topic, partition: 0, records: [text(line)] }])
      .then(() => 'written', code)
    say({ outcome: await outcome })
  }
  await journal.close()
}

/** Does the same from the first line on, so that a test can begin when the process has started. */
async function ownWhenTold(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  say({ started: true })
  await lines.next()
  await own(lines)
}

await roles[role ?? '']?.()
