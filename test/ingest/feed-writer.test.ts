import { describe, expect, it } from 'vitest'
import { systemTime } from '../../base/time.ts'
import { FEED } from '../../contracts/instruments.ts'
import { topics } from '../../contracts/topics.ts'
import { TickWriter, type TickWriterOptions, type WriterEvent } from '../../ingest/feed/tick-writer.ts'
import type { Price } from '../../ingest/source.ts'
import { type Journal, JournalError } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, recordsOf, until, valuesOf } from '../support/journal.ts'
import { randomFrom } from '../support/random.ts'

const start = Date.parse('2026-11-20T10:00:00.000Z')
const price = (symbol: string, printed: string, ms = 0): Price => ({
  kind: 'price',
  symbol,
  printed,
  observedAt: new Date(start + ms).toISOString(),
  location: '',
})
const open = (journal: TypedJournal, options: Partial<TickWriterOptions> = {}) =>
  TickWriter.open({
    journal,
    source: FEED,
    signal: new AbortController().signal,
    time: { ...systemTime, random: () => 0 },
    ...options,
  })
const partitions = [...Array(topics.ticks.partitions).keys()]
const ticksOf = async (journal: TypedJournal) =>
  (await Promise.all(partitions.map((partition) => recordsOf(journal, 'ticks', partition)))).flat()

/** A journal of the test's own whose transactions fail as `next` says. */
async function openFaulty(next: () => Fault) {
  let faulty: ReturnType<typeof faultyJournal> | undefined
  const { journal } = await openTestJournal((real) => {
    faulty = faultyJournal(real, next)
    return faulty
  })
  return { journal, fired: () => faulty?.fired as Record<Fault, number> }
}

describe('TickWriter', () => {
  it('writes canonical prices to their partitions, and leaves out repeats and what is not served', async () => {
    const { journal } = await openTestJournal()
    const events: WriterEvent[] = []
    const writer = await open(journal, { onEvent: (event) => events.push(event) })
    const inputs = [
      price('EUR-USD', '+01.0840'),
      price('XAU-USD', '4071.5'),
      price('EUR-USD', '1.0840'),
      price('EUR-USD', '1.0841'),
      price('EUR-USD', '1.0840'),
      price('EUR-XXX', '7'),
      price('EUR-XXX', '8'),
    ]
    for (const input of inputs) await writer.write(input)
    await writer.flush()
    const euro = await valuesOf(journal, 'ticks', journal.partitionFor('ticks', 'EUR-USD'))
    expect(euro.filter(({ symbol }) => symbol === 'EUR-USD').map((tick) => tick.price)).toEqual([
      '1.0840',
      '1.0841',
      '1.0840',
    ])
    expect(euro[0]).toMatchObject({ kind: 'price', source: 'feed', observed_at: '2026-11-20T10:00:00.000Z', url: '' })
    expect(Date.parse(euro[0]?.recorded_at ?? '')).toBeGreaterThan(start)
    expect(writer.tally).toEqual({ written: 4, repeated: 1, unserved: 2, rejected: 0, dropped: 0 })
    expect(events).toEqual([{ type: 'unserved', symbol: 'EUR-XXX' }])
    await writer.close()
  })

  it('puts what is no price into quarantine with its bytes: the same input once, also for the next writer', async () => {
    const { journal } = await openTestJournal()
    const bad = [
      price('EUR-USD', '-1'),
      price('EUR-USD', 'abc'),
      price('EUR-USD', '1.1', Date.now() - start + 600_000),
      { kind: 'reject', reason: 'malformed_json', detail: 'Not JSON', location: '', text: '{oops' } as const,
    ]
    for (let run = 0; run < 2; run++) {
      const writer = await open(journal)
      for (const input of [...bad, ...bad]) await writer.write(input)
      await writer.close()
      expect(writer.tally).toMatchObject({ written: 0, rejected: 8, dropped: run === 0 ? 4 : 8 })
    }
    const rejected = await valuesOf(journal, 'quarantine')
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'not_positive',
      'not_a_decimal',
      'price_in_future',
      'malformed_json',
    ])
    expect(Buffer.from(rejected[3]?.bytes ?? []).toString()).toBe('{oops')
  })

  it('keeps only so many rejected inputs a minute', async () => {
    const { journal } = await openTestJournal()
    const writer = await open(journal, { rejectsPerMinute: 3 })
    for (let i = 0; i < 50; i++) await writer.reject({ reason: 'not_text', detail: '' }, Buffer.from([i]))
    await writer.close()
    expect(await valuesOf(journal, 'quarantine')).toHaveLength(3)
    expect(writer.tally).toMatchObject({ rejected: 50, dropped: 47 })
  })

  it('loses and doubles nothing and keeps the order, whatever becomes of its transactions', async () => {
    const random = randomFrom(7)
    const kinds: readonly Fault[] = ['ok', 'unavailable', 'unknown_but_written', 'unknown_and_not_written']
    const { journal, fired } = await openFaulty(() => kinds[Math.floor(random() * kinds.length)] ?? 'ok')
    const writer = await open(journal, { batchSize: 20, batchMs: 1 })
    const symbols = ['EUR-USD', 'XAU-USD', 'BRENT-USD', 'EUR-JPY']
    for (let i = 0; i < 400; i++) {
      await writer.write(price(symbols[i % symbols.length] ?? '', String(1 + i), i))
      if (i % 50 === 0) await writer.reject({ reason: 'not_text', detail: '' }, Buffer.from([i % 251]))
    }
    await writer.flush()
    const ticks = await ticksOf(journal)
    for (const [place, symbol] of symbols.entries()) {
      const expected = Array.from({ length: 100 }, (_, i) => String(1 + place + i * symbols.length))
      expect(ticks.filter(({ value }) => value.symbol === symbol).map(({ value }) => value.price)).toEqual(expected)
    }
    expect(await valuesOf(journal, 'quarantine')).toHaveLength(8)
    for (const kind of kinds) expect(fired()[kind]).toBeGreaterThan(2)
    await writer.close()
  })

  it('finds a written batch among records that others put behind it', async () => {
    const faults: Fault[] = ['ok', 'unknown_but_written']
    const { journal } = await openFaulty(() => faults.shift() ?? 'ok')
    const partition = journal.partitionFor('ticks', 'EUR-USD')
    const writer = await open(journal, {
      onEvent: ({ type }) => {
        if (type !== 'journal_waits') return
        const value = { kind: 'timer', symbol: 'EUR-USD', source: '', price: '', url: '' } as const
        const at = new Date(start).toISOString()
        void journal.append('ticks', partition, [
          { value: { ...value, observed_at: at, recorded_at: at }, id: 'tmr', at: start },
        ])
      },
    })
    for (const printed of ['1', '2']) {
      await writer.write(price('EUR-USD', printed))
      await writer.flush()
    }
    const ticks = (await ticksOf(journal)).filter(({ value }) => value.kind === 'price')
    expect(ticks.map(({ value }) => value.price)).toEqual(['1', '2'])
    await writer.close()
  })

  it('asks to wait when it is full, goes on when the journal is back, and holds no more than that', async () => {
    let isAway = true
    const { journal } = await openFaulty(() => (isAway ? 'unavailable' : 'ok'))
    const writer = await open(journal, { capacity: 10, batchSize: 5 })
    let taken = 0
    const feeding = (async () => {
      for (; taken < 100; taken++) await writer.write(price('EUR-USD', String(1 + taken), taken))
    })()
    await until('the writer is full', () => taken === 9)
    await new Promise((resolve) => setImmediate(resolve))
    expect(taken).toBe(9)
    isAway = false
    await feeding
    await writer.flush()
    expect(writer.tally.written).toBe(100)
    await writer.close()
  })

  it('ends out loud when somebody newer has taken the source over', async () => {
    const fence = (real: Journal): Journal =>
      Object.assign(Object.create(real) as Journal, {
        id: real.id,
        ensureTopics: real.ensureTopics.bind(real),
        claim: real.claim.bind(real),
        close: real.close.bind(real),
        bounds: real.bounds.bind(real),
        read: real.read.bind(real),
        append: real.append.bind(real),
        transact: () => Promise.reject(new JournalError('fenced', 'injected')),
      })
    const { journal } = await openTestJournal(fence)
    const writer = await open(journal)
    writer.write(price('EUR-USD', '1'))
    await expect(writer.flush()).rejects.toMatchObject({ code: 'fenced' })
    expect(() => writer.write(price('EUR-USD', '2'))).toThrow('fenced')
    await writer.close()
  })

  it('has one writer a source at a time: the next waits for its turn', async () => {
    const { journal } = await openTestJournal()
    const first = await open(journal)
    let second: TickWriter | undefined
    const opening = open(journal).then((writer) => {
      second = writer
    })
    first.write(price('EUR-USD', '1'))
    await first.flush()
    expect(second).toBeUndefined()
    await first.close()
    await opening
    expect(() => first.write(price('EUR-USD', '2'))).toThrow('closed')
    await second?.close()
  })
})
