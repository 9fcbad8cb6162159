import avro from 'avsc'
import { expect, it, onTestFinished } from 'vitest'
import { codecFor } from '../../journal/codec.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry, releasedSchemas } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { record } from '../contracts/support/journal-world.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { NOON, timerTick } from '../support/ticks.ts'

it('reads values of older schemas converted, in order and at their offsets, among those of the newest', async () => {
  const bytes = await openEmbeddedJournal({ dir: await temporaryDirectory() })
  const journal = await TypedJournal.open(bytes, localRegistry())
  onTestFinished(() => journal.close())
  const older = releasedSchemas().find(({ topic, version }) => topic === 'ticks' && version === 1)
  if (!older) throw new Error('there is no first schema of ticks')
  // Cast: the released schema is any JSON value, and `forSchema` throws for one that is no schema.
  const olderType = avro.Type.forSchema(older.schema as avro.Schema)
  const header = Buffer.alloc(5)
  header.writeUInt32BE(older.id, 1)
  const codec = await codecFor('ticks', localRegistry())
  const isOlder = (n: number) => n % 7 === 3 || n > 900
  const ticks = Array.from({ length: 1_000 }, (_, n) => timerTick('XAU-USD', NOON + n))
  const records = ticks.map((tick, n) => ({
    ...record(''),
    value: isOlder(n) ? Buffer.concat([header, olderType.toBuffer(tick)]) : codec.encode(tick),
  }))
  const address = { topic: 'almanac.ticks', partition: 0 }
  for (let from = 0; from < records.length; from += 250)
    await bytes.append({ ...address, records: records.slice(from, from + 250) })

  const read: [number, unknown][] = []
  for (let at = 0; at < records.length; ) {
    const { next } = await journal.readEncoded('ticks', 0, at, ({ bytes, offsets, from, to }) => {
      for (const [i, offset] of offsets.entries())
        read.push([offset, journal.decode('ticks', Buffer.from(bytes.subarray(from[i], to[i])))])
    })
    at = next
  }
  const { records: decoded } = await journal.read('ticks', 0, 0, { maxRecords: records.length })
  expect(read).toEqual(decoded.map(({ offset, value }) => [offset, value]))
  expect(read.map(([offset]) => offset)).toEqual(records.map((_, n) => n))
  expect(read[1]?.[1]).toEqual(ticks[1])
})
