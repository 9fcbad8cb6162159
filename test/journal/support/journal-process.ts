/**
 * A process that uses the embedded journal, to be killed, stopped or starved of disk by a test. Says what it has done
 * as JSON lines on stdout, each written before the next step is taken.
 *
 *   node journal-process.ts <role> <dir> [argument]
 */
import { rmSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import { type Claim, JournalError, type NewRecord, type ValueRun } from '../../../journal/journal.ts'

const [role, dir = '', argument = ''] = process.argv.slice(2)
const roles: Record<string, () => Promise<void>> = { append, chase, contend, crash, own, fill, visit }

const say = (fact: object) => writeSync(1, `${JSON.stringify(fact)}\n`)
const code = (error: unknown) => (error instanceof JournalError ? error.code : String(error))
const text = (value: string): NewRecord => ({
  key: null,
  value: Buffer.from(value),
  timestamp: Date.now(),
  headers: {},
})

/** Appends `argument` times, up to 8 writes under way at once, and says the offset of each. */
async function append(): Promise<void> {
  const journal = await openEmbeddedJournal({ dir })
  let next = 0
  const work = async () => {
    while (next < Number(argument)) {
      const number = next++
      const records = Array.from({ length: 1 + (number % 3) }, (_, i) => text(`${process.pid}.${number}.${i}`))
      const { firstOffset } = await journal.append({ topic: 'shared', partition: 0, records })
      say({ firstOffset, texts: records.map(({ value }) => Buffer.from(value).toString()) })
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  await journal.close()
}

/**
 * Reads `aged`, whose values are their offsets and padding, over and over until stdin ends. Says so when it begins and each
 * time that retention has deleted what it was going to read. Fails on a record that is missing or is another one.
 */
async function chase(): Promise<void> {
  const journal = await openEmbeddedJournal({ dir })
  const address = { topic: 'aged', partition: 0 }
  let isOver = false
  process.stdin.on('end', () => {
    isOver = true
  })
  process.stdin.resume()
  say({ chasing: true })
  for (let round = 0, at = 0; !isOver; round++) {
    const limits = { maxRecords: 1 + (round % 50) }
    const found: (readonly [offset: number, value: string])[] = []
    const take = ({ bytes, offsets, from, to }: ValueRun) => {
      for (const [i, offset] of offsets.entries()) found.push([offset, bytes.toString('utf8', from[i], to[i])])
    }
    try {
      const { next, end, records } =
        round % 2 === 0
          ? await journal.read(address, at, limits)
          : { ...(await journal.readValues(address, at, take, limits)), records: [] }
      for (const { offset, value } of records) found.push([offset, Buffer.from(value).toString()])
      for (const [i, [offset, value]] of found.entries())
        if (offset !== at + i || value.split(' ', 1)[0] !== `${offset}`) throw new Error(`${value} at ${offset}`)
      if (next !== at + found.length) throw new Error(`${found.length} records from ${at} to ${next}`)
      at = next < end ? next : (await journal.bounds(address)).start
    } catch (error) {
      if (!(error instanceof JournalError && error.range)) throw error
      at = error.range.start
      say({ overtaken: at })
    }
  }
  await journal.close()
}

/** Claims one name `argument` times; fails if anybody else takes it before it is released. */
async function contend(): Promise<void> {
  const journal = await openEmbeddedJournal({ dir })
  for (let times = Number(argument); times > 0; times--) {
    const claim = await journal.claim('contended')
    say({ epoch: claim.epoch })
    await journal.transact(claim, [])
    await claim.release()
  }
  await journal.close()
}

/** Opens and closes the journal `argument` times. */
async function visit(): Promise<void> {
  for (let times = Number(argument); times > 0; times--) {
    const journal = await openEmbeddedJournal({ dir })
    await journal.close()
  }
}

/**
 * Until killed:
 * - appends batches to `appended`;
 * - counts up in transactions, each of which writes its number to `left`, `right` and `compacted` (under one of 7 keys)
 *   and moves the position of `input` to it;
 * - appends to `aged` and lets retention take it away again.
 */
async function crash(): Promise<void> {
  const journal = await openEmbeddedJournal({ dir })
  const to = (topic: string, ...records: NewRecord[]) => ({ topic, partition: 0, records })
  const batches = async () => {
    for (let number = 0; ; number++) {
      const batch = `${process.pid}.${number}`
      const size = 1 + (number % 20)
      const padding = 'x'.repeat(200 * (number % 20))
      const records = Array.from({ length: size }, (_, i) => text(`${batch} ${i} ${size} ${padding}`))
      const { firstOffset } = await journal.append(to('appended', ...records))
      say({ batch, firstOffset })
    }
  }
  const transactions = async () => {
    const claim = await journal.claim('processor')
    say({ claimed: claim.epoch })
    const input = { topic: 'input', partition: 0 }
    for (let number = ((await claim.position(input)) ?? 0) + 1; ; number++) {
      const keyed = { ...text(`${number}`), key: `${number % 7}` }
      const writes = [to('left', text(`${number}`)), to('right', text(`${number}`)), to('compacted', keyed)]
      await journal.transact(claim, writes, [{ ...input, offset: number }])
      say({ transaction: number })
    }
  }
  const ageing = async () => {
    for (;;) {
      const records = Array.from({ length: 300 }, (_, i) => ({ ...text('x'.repeat(i)), timestamp: i }))
      await journal.append(to('aged', ...records))
      // The topic keeps 10 s: of these 300, the last 100 stay until the next round.
      await journal.retain(10_200)
    }
  }
  await Promise.all([batches(), transactions(), ageing()])
}

/** Claims `argument` with an expiry of 1 s, says so, then does a transaction for each line on stdin. */
async function own(): Promise<void> {
  const journal = await openEmbeddedJournal({ dir, claimExpiryMs: 1_000 })
  const claim: Claim = await journal.claim(argument)
  claim.lost.addEventListener('abort', () => say({ lost: code(claim.lost.reason) }))
  say({ claimed: claim.epoch })
  for await (const line of createInterface({ input: process.stdin })) {
    const writes = [{ topic: 'shared', partition: 0, records: [text(line)] }]
    const outcome = journal.transact(claim, writes).then(() => 'written', code)
    say({ outcome: await outcome })
  }
  await journal.close()
}

/**
 * Appends until that fails for want of space, then ever less at a time until single records fail, too. Then removes the
 * file `argument`, if given, which makes room for one record more, and reads everything back.
 */
async function fill(): Promise<void> {
  const journal = await openEmbeddedJournal({ dir })
  await journal.ensureTopics({ shared: { partitions: 1, cleanup: 'delete', retentionMs: null } })
  const address = { topic: 'shared', partition: 0 }
  const outcomes: string[] = []
  let acknowledged = 0
  const add = async (count: number) => {
    const records = Array.from({ length: count }, (_, i) => text(`${acknowledged + i} ${'x'.repeat(500)}`))
    await journal.append({ ...address, records })
    acknowledged += count
  }
  for (let count = 64; count >= 1; ) {
    await add(count).catch((error) => {
      outcomes.push(code(error))
      count /= 2
    })
  }
  if (argument) {
    rmSync(argument)
    await add(1)
  }
  let read = 0
  for (let offset = 0; ; ) {
    const batch = await journal.read(address, offset)
    read += batch.records.length
    offset = batch.next
    if (batch.next === batch.end) break
  }
  say({ acknowledged, outcomes, read })
  await journal.close()
}

await roles[role ?? '']?.()
