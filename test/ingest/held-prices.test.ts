import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { approve } from '../../ingest/accept/held.ts'
import {
  approvedInputs,
  heldInputs,
  newestRejected,
  rejectedInput,
  rejectedInputs,
  retryInput,
} from '../../ingest/quarantine.ts'
import type { Document, Price } from '../../ingest/source.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { testDocument } from '../support/documents.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, recordsOf, valuesOf } from '../support/journal.ts'
import { replay, valuesIn } from '../support/quotes-replay.ts'

const GOLD = 'XAU-USD'
const personAndReason = { by: 'ada', because: 'the publisher confirms it' }

const monthEnd = (n: number): string => new Date(Date.UTC(2020, n + 1, 1) - 1).toISOString()
const price = (n: number, printed: string, over: Partial<Price> = {}): Price => ({
  kind: 'price',
  symbol: GOLD,
  printed,
  observedAt: monthEnd(n),
  location: `row ${n + 1}`,
  ...over,
})

type Edition = readonly [Document, Price[]]
/** An edition of a series of monthly prices, the first of January 2020; null for one that it leaves out. */
const edition = (on: string, prices: readonly (string | null)[], source = 'WB'): Edition => [
  { ...testDocument(on), source, sha256: on, url: `file:${on}.xlsx` },
  prices.flatMap((printed, n) =>
    printed === null ? [] : [price(n, printed, { released: { on: on.slice(0, 10), basis: 'dataset' } })],
  ),
]
/** A user's own file of prices, of a source that does not restate its history. */
const own = (name: string, prices: readonly (string | null)[]): Edition => edition(name, prices, 'TEST')

async function world(next: () => Fault = () => 'ok') {
  const { journal } = await openTestJournal((real) => faultyJournal(real, next))
  const partition = journal.partitionFor('ticks', GOLD)
  const ticks = () => valuesOf(journal, 'ticks', partition)
  return {
    journal,
    acceptor: new Acceptor(journal),
    ticks,
    history: () => valuesOf(journal, 'price_history'),
    /** The last recorded price of each month. */
    current: async () =>
      Object.fromEntries((await ticks()).map((tick) => [tick.observed_at.slice(0, 7), tick.price] as const)),
    quotes: async () => valuesIn(replay(await recordsOf(journal, 'ticks', partition)).written, 'quotes'),
  }
}

/** An acceptor whose transactions are further apart than two quotes must be, so that no quote waits for a timer. */
function acceptorOfSeconds(journal: TypedJournal): Acceptor {
  let now = Date.parse('2021-03-06T12:00:00.000Z')
  return new Acceptor(journal, { now: () => (now += 1_000) })
}

/** Approves the held input that is on record for the longest. */
async function approveFirst(journal: TypedJournal, acceptor = new Acceptor(journal)) {
  const [held] = await heldInputs(journal)
  const input = await rejectedInput(journal, held?.input_id ?? '')
  if (!input) throw new Error('nothing is held')
  return { input, approved: await approve(input, personAndReason, acceptor) }
}

it('says that a held input was approved, and that the record of an approval is no input, when either is read again', async () => {
  const { journal, acceptor } = await world()
  await acceptor.accept(...edition('2021-01-05', ['1560', '1597']))
  await acceptor.accept(...edition('2021-02-05', ['1560', '1597', '15917']))
  const retried = async (reason?: string) => {
    const [input] = await Array.fromAsync(rejectedInputs(journal, reason === undefined ? {} : { reason }))
    const found = await rejectedInput(journal, input?.input_id ?? '')
    const approved = await approvedInputs(journal)
    return found && (await retryInput(found, { sources: [], approved }, acceptor))
  }
  expect(await retried()).toEqual({ outcome: 'held' })
  await approveFirst(journal, acceptor)
  expect(await retried()).toEqual({ outcome: 'approved' })
  expect(await retried('approved')).toEqual({ outcome: 'approval' })
})

describe('implausible prices of a series', () => {
  it('wait until a person approves them, and the approval is on record with them', async () => {
    const { journal, acceptor, history, current } = await world()
    await acceptor.accept(...edition('2021-01-05', ['1560', '1597']))
    const faults: string[] = []
    const onFault = ({ reason, location }: { reason: string; location: string }) => faults.push(`${reason} ${location}`)
    const wrong = edition('2021-02-05', ['1560', '1597', '15917', '1683'])
    expect(await acceptor.accept(...wrong, { onFault })).toMatchObject({ held: 1, prices: 1, unchanged: 2 })
    expect(faults).toEqual([`held_jump ${GOLD}, 2020-03-31T23:59:59.999Z (row 3)`])
    expect(await current()).toEqual({ '2020-01': '1560', '2020-02': '1597', '2020-04': '1683' })
    // Read again, by another process, it is held again and waits once.
    expect(await new Acceptor(journal).accept(...wrong)).toMatchObject({ held: 1, prices: 0, unchanged: 3 })
    expect(await heldInputs(journal)).toMatchObject([
      {
        reason: 'held_jump',
        detail: expect.stringContaining('XAU-USD: 2020-03-31T23:59:59.999Z is 15917, after 1597 (2020-02-29'),
      },
    ])
    const { input, approved } = await approveFirst(journal)
    expect(approved).toMatchObject({ outcome: 'accepted', tally: { prices: 1, held: 0 } })
    expect(await heldInputs(journal)).toEqual([])
    expect(await newestRejected(journal, 1)).toMatchObject([
      { reason: 'approved', location: input.input.input_id, detail: 'ada: the publisher confirms it' },
    ])
    expect((await history()).at(-1)).toMatchObject({
      price: '15917',
      observed_at: '2020-03-31T23:59:59.999Z',
      released_on: '2021-02-05',
      url: 'file:2021-02-05.xlsx',
      sha256: '2021-02-05',
      location: 'row 3',
    })
    expect(await current()).toMatchObject({ '2020-03': '15917' })
    // Approving it twice, or reading its document again, changes nothing.
    expect(await approve(input, personAndReason, new Acceptor(journal))).toMatchObject({
      tally: { unchanged: 1, prices: 0 },
    })
    for (const again of [acceptor, new Acceptor(journal)])
      expect(await again.accept(...wrong)).toMatchObject({ held: 0, unchanged: 4 })
    expect(await history()).toHaveLength(4)
    expect(await newestRejected(journal, 9)).toHaveLength(2)
  })

  it('are held whole if a column is multiplied, in months on record and in others, and the right edition is taken', async () => {
    const { journal, acceptor, current } = await world()
    const right = ['1560', '1597', '1591', '1683', '1716', '1732']
    const tenfold = right.map((printed) => `${printed}0`)
    await acceptor.accept(...edition('2021-01-05', [null, null, '1591', '1683']))
    expect(await acceptor.accept(...edition('2021-02-05', tenfold))).toMatchObject({ held: 6, prices: 0, restated: 0 })
    expect((await heldInputs(journal)).map(({ reason, location }) => `${reason} ${location}`)).toEqual([
      `held_jump ${GOLD}, 2020-01-31T23:59:59.999Z to 2020-06-30T23:59:59.999Z (row 1)`,
    ])
    expect(await acceptor.accept(...edition('2021-03-05', right))).toMatchObject({ prices: 4, unchanged: 2, held: 0 })
    expect(Object.values(await current()).toSorted()).toEqual(right.toSorted())
    // If somebody approves the older edition, it fills nothing that the later one has stated.
    const { approved } = await approveFirst(journal)
    expect(approved).toMatchObject({ tally: { outdated: 4, unchanged: 0 } })
  })

  it('are held from the first day of a new level on, and one approval makes the following ones plausible', async () => {
    const { journal, acceptor, current } = await world()
    await acceptor.accept(...edition('2021-01-05', ['1560', '1597']))
    expect(await acceptor.accept(...edition('2021-02-05', [null, null, '1.59']))).toMatchObject({ held: 1 })
    expect(await acceptor.accept(...edition('2021-03-05', [null, null, null, '1.68']))).toMatchObject({ held: 1 })
    await approveFirst(journal)
    // A document that repeats what was held meanwhile brings it.
    const whole = edition('2021-04-05', ['1560', '1597', '1.59', '1.68', '1.72'])
    expect(await acceptor.accept(...whole)).toMatchObject({ held: 0, prices: 2, unchanged: 3 })
    expect(Object.values(await current())).toEqual(['1560', '1597', '1.59', '1.68', '1.72'])
    const { approved } = await approveFirst(journal)
    expect(approved).toMatchObject({ tally: { unchanged: 1 } })
    expect(await heldInputs(journal)).toEqual([])
  })

  it('are held if nothing is on record and no price has that size', async () => {
    const { journal, acceptor, ticks } = await world()
    for (const printed of ['1e30', '0.00000000001'])
      expect(await acceptor.accept(...edition('2021-01-05', [printed]))).toMatchObject({ held: 1, prices: 0 })
    expect((await heldInputs(journal)).map(({ reason }) => reason)).toEqual(['held_range'])
    expect(await ticks()).toEqual([])
  })

  it('leave the quote alone, and move it once they are approved', async () => {
    const { journal, quotes } = await world()
    const acceptor = acceptorOfSeconds(journal)
    await acceptor.accept(...edition('2021-01-05', ['1560', '1597']))
    const before = await quotes()
    await acceptor.accept(...edition('2021-02-05', ['1560', '1597', '15917']))
    expect(await quotes()).toEqual(before)
    await approveFirst(journal, acceptor)
    expect((await quotes()).at(-1)).toMatchObject({ price: '15917' })
  })

  it('of two symbols of one document are held each by itself, and neither is accepted', async () => {
    const { journal, acceptor } = await world()
    const both = ([document, prices]: Edition): Edition => [
      document,
      prices.flatMap((gold) => [gold, { ...gold, symbol: 'XAG-USD', printed: String(Number(gold.printed) / 100) }]),
    ]
    await acceptor.accept(...both(edition('2021-01-05', ['1560', '1597'])))
    const tally = await acceptor.accept(...both(edition('2021-02-05', ['1560', '1597', '15917'])))
    expect(tally).toMatchObject({ held: 2, prices: 0, unchanged: 4 })
    expect(await heldInputs(journal)).toHaveLength(2)
    expect(await valuesOf(journal, 'price_history')).toHaveLength(4)
  })

  it('say nothing of another symbol, of symbols that are not served, and of prices that are rejected', async () => {
    const { journal, acceptor } = await world()
    const [document, prices] = edition('2021-01-05', ['1560', '1597', '1591'])
    const others = prices.flatMap((gold, n) => [
      gold,
      price(n, `${2 + n}e6`, { symbol: 'EUR-IDR' }),
      price(n, n === 1 ? '1e20' : '1', { symbol: 'EUR-TRL' }),
      price(n, '1', { symbol: 'EUR-USD', observedAt: n === 1 ? '2199-01-01T00:00:00.000Z' : monthEnd(n) }),
    ])
    const tally = await acceptor.accept(document, others)
    expect(tally).toMatchObject({ prices: 8, unserved: 3, rejected: 1, held: 0 })
    expect(await heldInputs(journal)).toEqual([])
  })

  it('end in the same prices in any order of editions, each of which may have wrong ones', async () => {
    const right = Array.from({ length: 8 }, (_, n) => String(1_500 + 20 * n))
    const cases = fc.array(fc.record({ wrong: fc.nat(7), times: fc.constantFrom(10, 0.1, 1e6), from: fc.nat(3) }), {
      minLength: 2,
      maxLength: 4,
    })
    const ordered = cases.chain((all) =>
      fc.shuffledSubarray([...all.keys()], { minLength: all.length }).map((order) => ({ all, order })),
    )
    await fc.assert(
      fc.asyncProperty(ordered, async ({ all, order }) => {
        const editions = all.map(({ wrong, times, from }, i) =>
          edition(
            `2021-02-0${i + 1}`,
            right.map((printed, n) => (n < from ? null : n === wrong ? String(Number(printed) * times) : printed)),
          ),
        )
        const contents: Map<string, string>[] = []
        for (const inOrder of [editions, order.map((i) => editions[i])]) {
          const { journal } = await openTestJournal()
          const acceptor = new Acceptor(journal)
          // Something right is on record first: alone, a wrong beginning looks like a right one.
          await acceptor.accept(...edition('2021-01-05', [...right.slice(0, 5), null, null, '1640']))
          for (const one of inOrder) if (one) await acceptor.accept(...one)
          for (const one of inOrder) if (one) await acceptor.accept(...one)
          const ticks = await valuesOf(journal, 'ticks', journal.partitionFor('ticks', GOLD))
          contents.push(new Map(ticks.map((tick) => [tick.observed_at, tick.price])))
          await journal.close()
        }
        expect(contents[1]).toEqual(contents[0])
        for (const [n, printed] of right.entries())
          expect([printed, undefined]).toContain(contents[0]?.get(monthEnd(n)))
      }),
      { numRuns: 8 },
    )
  })

  it.each(['unavailable', 'unknown_but_written', 'unknown_and_not_written'] as const)(
    'are held once and accepted once, whichever transaction is %s',
    async (fault) => {
      for (let at = 0; at < 4; at++) {
        let count = 0
        const { journal, acceptor, current, history } = await world(() => (count++ === at ? fault : 'ok'))
        await acceptor.accept(...edition('2021-01-05', ['1560', '1597']))
        const wrong = edition('2021-02-05', ['1560', '1597', '15917', '1683'])
        expect(await acceptor.accept(...wrong)).toMatchObject({ held: 1, prices: 1, unchanged: 2 })
        expect(await heldInputs(journal)).toHaveLength(1)
        const { approved } = await approveFirst(journal, acceptor)
        expect(approved).toMatchObject({ tally: { prices: 1 } })
        expect(count).toBeGreaterThan(at)
        expect(await current()).toMatchObject({ '2020-03': '15917', '2020-04': '1683' })
        expect(await history()).toHaveLength(4)
        expect(await Array.fromAsync(rejectedInputs(journal, { reason: 'approved' }))).toHaveLength(1)
      }
    },
  )
})

describe('implausible prices of a source that does not restate its history', () => {
  it('are written once they are approved, although later ones were accepted meanwhile', async () => {
    const { journal, current, quotes, ticks } = await world()
    const acceptor = acceptorOfSeconds(journal)
    await acceptor.accept(...own('2021-01-05', ['100', '101']))
    const file = own('2021-02-05', [null, null, '1020', '103'])
    expect(await acceptor.accept(...file)).toMatchObject({ held: 1, prices: 1 })
    expect(await acceptor.accept(...own('2021-03-05', [null, null, null, null, '104']))).toMatchObject({ prices: 1 })
    const before = await quotes()
    const { input, approved } = await approveFirst(journal, acceptor)
    expect(approved).toMatchObject({ tally: { prices: 1, unchanged: 0 } })
    expect(await current()).toMatchObject({ '2020-03': '1020' })
    // The quote is the newest price, as before.
    expect((await quotes()).at(-1)).toEqual(before.at(-1))
    // It is written once, however often it is approved and its file is read.
    expect(await approve(input, personAndReason, new Acceptor(journal))).toMatchObject({
      tally: { prices: 0, unchanged: 1 },
    })
    expect(await approve(input, personAndReason, acceptor)).toMatchObject({ tally: { prices: 0, unchanged: 1 } })
    expect(await acceptor.accept(...file)).toMatchObject({ prices: 0, held: 0, older: 2, unchanged: 0 })
    expect((await ticks()).filter(({ price }) => price === '1020')).toHaveLength(1)
  })

  it('change nothing when they are approved again, also where another price of their time is the newest by then', async () => {
    const { journal, acceptor, ticks } = await world()
    await acceptor.accept(...own('2021-01-05', ['100']))
    await acceptor.accept(...own('2021-02-05', [null, '1020']))
    const { input } = await approveFirst(journal)
    await acceptor.accept(...own('2021-03-05', [null, '103']))
    await approveFirst(journal)
    const before = await ticks()
    expect(before.map(({ price }) => price)).toEqual(['100', '1020', '103'])
    for (const again of [acceptor, new Acceptor(journal)])
      expect(await approve(input, personAndReason, again)).toMatchObject({ tally: { prices: 0, unchanged: 1 } })
    expect(await ticks()).toEqual(before)
    expect(await valuesOf(journal, 'newest_prices')).toMatchObject([{ price: '103' }])
  })

  it('are written once if two files state them, unless a newer one is on record when the second is approved', async () => {
    const { journal, acceptor, ticks } = await world()
    await acceptor.accept(...own('2021-01-05', ['100']))
    for (const name of ['2021-02-05', '2021-02-06', '2021-02-07']) await acceptor.accept(...own(name, [null, '1020']))
    const prices = async () => (await ticks()).map(({ price }) => price)
    expect(await approveFirst(journal, acceptor)).toMatchObject({ approved: { tally: { prices: 1 } } })
    expect(await approveFirst(journal, acceptor)).toMatchObject({ approved: { tally: { prices: 0, unchanged: 1 } } })
    expect(await prices()).toEqual(['100', '1020'])
    await acceptor.accept(...own('2021-03-05', [null, null, '1030']))
    expect(await approveFirst(journal, acceptor)).toMatchObject({ approved: { tally: { prices: 1 } } })
    expect(await prices()).toEqual(['100', '1020', '1030', '1020'])
    expect(await valuesOf(journal, 'newest_prices')).toMatchObject([{ price: '1030' }])
  })

  it('are held with what follows if the newest one on record is wrong, and stop once the oldest entry is approved', async () => {
    const { journal, acceptor, current } = await world()
    await acceptor.accept(...own('2021-01-05', ['1000']))
    expect(await acceptor.accept(...own('2021-02-05', ['100', '101', '102']))).toMatchObject({ held: 3, prices: 0 })
    expect(await approveFirst(journal)).toMatchObject({ approved: { tally: { prices: 3 } } })
    expect(await acceptor.accept(...own('2021-03-05', [null, null, null, '103']))).toMatchObject({ held: 0, prices: 1 })
    expect(await current()).toEqual({ '2020-01': '100', '2020-02': '101', '2020-03': '102', '2020-04': '103' })
  })

  it('are held alone if a file states another price for the same time', async () => {
    for (const [first, second] of [
      ['101', '1010'],
      ['1010', '101'],
    ] as const) {
      const { journal, acceptor, ticks } = await world()
      const [document] = own('2021-01-05', [])
      const prices = [price(0, '100'), price(1, first), { ...price(1, second), location: 'row 3' }, price(2, '102')]
      expect(await acceptor.accept(document, prices)).toMatchObject({ held: 1, prices: 3 })
      expect((await ticks()).map(({ price }) => price)).toEqual(['100', '101', '102'])
      expect(await heldInputs(journal)).toMatchObject([{ detail: expect.stringContaining(' is 1010, ') }])
      await approveFirst(journal)
      expect((await ticks()).at(-1)).toMatchObject({ price: '1010' })
    }
  })

  it('are accepted if a file states several prices of its instants that are all plausible', async () => {
    const { acceptor } = await world()
    const [document] = own('2021-01-05', [])
    const prices = Array.from({ length: 30 }, (_, i) => price(Math.floor(i / 3), String(100 + (i % 3))))
    expect(await acceptor.accept(document, prices)).toMatchObject({ held: 0, prices: 30 })
  })

  it('are not held again once they are approved, though nothing has quoted them yet', async () => {
    const { journal, acceptor, ticks } = await world()
    await acceptor.accept(...own('2021-01-05', ['100', '101']))
    const file = own('2021-02-05', [null, null, '1020'])
    await acceptor.accept(...file)
    await approveFirst(journal)
    // No quotes processor runs here.
    for (const again of [acceptor, new Acceptor(journal)])
      expect(await again.accept(...file)).toMatchObject({ held: 0, prices: 0, unchanged: 1 })
    expect(await heldInputs(journal)).toEqual([])
    expect(await ticks()).toHaveLength(3)
  })

  it('are held beside prices that nothing has quoted yet, as while no service runs', async () => {
    const { journal, acceptor, ticks } = await world()
    const first = own('2021-01-05', ['100', '101'])
    await acceptor.accept(...first)
    expect(await new Acceptor(journal).accept(...first)).toMatchObject({ prices: 0, older: 1, unchanged: 1 })
    expect(await new Acceptor(journal).accept(...own('2021-02-05', [null, null, '1020', '1030']))).toMatchObject({
      held: 2,
      prices: 0,
    })
    expect(await ticks()).toHaveLength(2)
  })

  it('are rejected if they are too far ahead when they are judged, though no longer when they would be written', async () => {
    const { journal, ticks } = await world()
    let now = Date.parse('2021-01-05T00:00:00Z')
    const acceptor = new Acceptor(journal, { now: () => now++ })
    const [document] = own('2021-01-05', [])
    const ahead = Array.from({ length: 9 }, (_, ms) =>
      price(ms, `${ms}000`, { observedAt: new Date(now + 86_400_000 + ms).toISOString() }),
    )
    const tally = await acceptor.accept(document, [price(0, '100'), ...ahead])
    expect(tally.prices).toBe(1)
    expect((await ticks()).map(({ price }) => price)).toEqual(['100'])
  })

  it('stay implausible in every part of a long file', async () => {
    const { journal, acceptor, ticks } = await world()
    await acceptor.accept(...own('2021-01-05', ['100', '101']))
    const [document] = own('2021-02-05', [])
    // So many in a month that the parts begin years apart.
    const symbols = ['XAU-USD', 'XAG-USD', 'XPT-USD', 'XPD-USD', 'BRENT-USD', 'WTI-USD', 'COAL-USD', 'RICE-USD']
    const long = Array.from({ length: 70 }, (_, n) =>
      symbols.flatMap((symbol) =>
        Array.from({ length: 10 }, (_, part) =>
          price(n + 2, symbol === GOLD ? '1000' : '70', {
            symbol,
            observedAt: new Date(Date.parse(monthEnd(n + 2)) - 1_000 + part).toISOString(),
          }),
        ),
      ),
    ).flat()
    const tally = await acceptor.accept(document, long)
    expect(tally).toMatchObject({ held: 700, prices: 70 * 70 })
    expect((await ticks()).filter(({ symbol }) => symbol === GOLD)).toHaveLength(2)
    expect((await heldInputs(journal)).length).toBeLessThan(5)
  })

  it.each(['unavailable', 'unknown_but_written', 'unknown_and_not_written'] as const)(
    'are held once and written once, whichever transaction is %s',
    async (fault) => {
      for (let at = 0; at < 4; at++) {
        let count = 0
        const { journal, acceptor, ticks } = await world(() => (count++ === at ? fault : 'ok'))
        await acceptor.accept(...own('2021-01-05', ['100', '101']))
        expect(await acceptor.accept(...own('2021-02-05', [null, null, '1020', '103']))).toMatchObject({ held: 1 })
        const { approved } = await approveFirst(journal, acceptor)
        expect(approved).toMatchObject({ tally: { prices: 1 } })
        expect((await ticks()).map(({ price }) => price)).toEqual(['100', '101', '103', '1020'])
      }
    },
  )
})
