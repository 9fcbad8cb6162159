import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { DocumentError, type Figure, type Item } from '../../ingest/source.ts'
import type { Journal } from '../../journal/journal.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, recordsOf, valuesOf } from '../support/journal.ts'
import { testDocument, testSeries } from '../support/releases.ts'

const figure = (country: string, period: string, printed: number): Figure => ({
  kind: 'figure',
  series: testSeries({ country }),
  period,
  figures: { value: { printed: printed.toFixed(1) } },
  released: { on: '2026-01-05', basis: 'publisher' },
  location: period,
})
const months = (country: string, revision = 0): Figure[] =>
  Array.from({ length: 12 }, (_, i) =>
    figure(country, `2024-${String(i + 1).padStart(2, '0')}`, 100 + (i % 4) / 5 + revision),
  )

const all = ['USA', 'DEU', 'JPN', 'FRA']

describe('Acceptor reads what a document concerns', () => {
  it.each([
    ['the first document of an acceptor', [months('DEU')]],
    ['a document of further countries', [months('USA'), months('DEU'), months('JPN')]],
    ['a document of several countries', [[...months('FRA'), ...months('JPN')], all.flatMap((code) => months(code))]],
  ])('%s: figures on record are recognised', async (_, documents) => {
    const { journal } = await openTestJournal()
    await new Acceptor(journal).accept(
      testDocument,
      all.flatMap((code) => months(code)),
    )
    const acceptor = new Acceptor(journal)
    for (const items of documents)
      expect(await acceptor.accept(testDocument, items)).toMatchObject({ new: 0, unchanged: items.length })
    expect(await valuesOf(journal, 'releases')).toHaveLength(48)
  })

  it('a document whose countries come chunk by chunk is compared with all of them', async () => {
    const { journal } = await openTestJournal()
    // More than a transaction's items of each country, so that the next one is asked for later.
    const long = (code: string): Item[] =>
      Array.from({ length: 1_500 }, (_, i) => ({
        ...figure(code, `${1890 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`, 100 + (i % 4) / 5),
        location: `row ${i}`,
      }))
    const items = all.flatMap(long)
    expect(await new Acceptor(journal).accept(testDocument, items)).toMatchObject({ new: 6_000 })
    expect(await new Acceptor(journal).accept(testDocument, items)).toMatchObject({ new: 0, unchanged: 6_000 })
  })

  it('what another process has written meanwhile is read, of countries known and not yet known', async () => {
    const { journal, server } = await openTestJournal()
    const { journal: other } = await openTestJournal(undefined, server)
    const [one, two] = [new Acceptor(journal), new Acceptor(other)]
    await one.accept(testDocument, months('USA'))
    await two.accept(testDocument, [...months('USA', 0.1), ...months('DEU')])
    expect(await one.accept(testDocument, months('USA', 0.1))).toMatchObject({ unchanged: 12 })
    expect(await one.accept(testDocument, months('DEU'))).toMatchObject({ unchanged: 12 })
    expect(await two.accept(testDocument, months('JPN'))).toMatchObject({ new: 12 })
    expect(await one.accept(testDocument, months('JPN'))).toMatchObject({ unchanged: 12 })
  })

  it.each([
    ['after the releases are read', 'bounds', 'quarantine'],
    ['while a transaction is written', 'transact', ''],
  ] as const)(
    'a document of another country that comes %s is decided on behind the one that has the claim',
    async (_, step, topic) => {
      const { journal, server } = await openTestJournal()
      await new Acceptor(journal).accept(
        testDocument,
        all.flatMap((code) => months(code)),
      )
      let meanwhile: (() => void) | undefined
      const slow = (real: Journal): Journal => {
        const wait = async (...args: unknown[]): Promise<unknown> => {
          if (JSON.stringify(args[0]).includes(topic)) meanwhile?.()
          await nextTurn()
          return Reflect.apply(bound(real, step) as typeof wait, undefined, args)
        }
        return new Proxy(real, { get: (target, name) => (name === step ? wait : bound(target, name)) })
      }
      const { journal: slowed } = await openTestJournal(slow, server)
      const acceptor = new Acceptor(slowed)
      let other: Promise<unknown> | undefined
      meanwhile = () => {
        other ??= acceptor.accept(testDocument, months('DEU'))
      }
      expect(await acceptor.accept(testDocument, months('USA', 0.1))).toMatchObject({ new: 0, revised: 12 })
      expect(await other).toMatchObject({ new: 0, unchanged: 12 })
      expect(await acceptor.accept(testDocument, months('USA', 0.1))).toMatchObject({ new: 0, unchanged: 12 })
      expect(await valuesOf(journal, 'releases')).toHaveLength(60)
    },
  )

  it('a document of the same process waits for one whose claim is lost while it writes', async () => {
    const { journal, server } = await openTestJournal()
    await new Acceptor(journal).accept(testDocument, [...months('USA'), ...months('DEU')])
    const reached = Promise.withResolvers<void>()
    const fenced = Promise.withResolvers<void>()
    let other: Promise<unknown> | undefined
    const losing = (real: Journal): Journal => {
      const transact: Journal['transact'] = async (claim, ...args) => {
        if (other) return real.transact(claim, ...args)
        await claim.release()
        other = acceptor.accept(testDocument, months('DEU'))
        await Promise.race([reached.promise, sleep(300)])
        return real.transact(claim, ...args).finally(fenced.resolve)
      }
      // Read after the releases: what is known of them must still be so when the other document is decided on.
      const bounds: Journal['bounds'] = async (address) => {
        if (other && address.topic.includes('quarantine')) {
          reached.resolve()
          await fenced.promise
          await nextTurn()
        }
        return real.bounds(address)
      }
      const members: Readonly<Record<string | symbol, unknown>> = { transact, bounds }
      return new Proxy(real, { get: (target, name) => members[name] ?? bound(target, name) })
    }
    const acceptor = new Acceptor((await openTestJournal(losing, server)).journal)
    expect(await acceptor.accept(testDocument, months('USA', 0.1))).toMatchObject({ new: 0, revised: 12 })
    expect(await other).toMatchObject({ new: 0, unchanged: 12 })
    expect(await valuesOf(journal, 'releases')).toHaveLength(36)
  })

  it('a document that waits for its turn ends when its signal aborts, and the next one follows', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const [writing, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    vi.spyOn(journal, 'transact').mockImplementationOnce(async (...args) => {
      writing.resolve()
      await written.promise
      return journal.transact(...args)
    })
    const first = acceptor.accept(testDocument, months('USA'))
    await writing.promise
    const [stop, reason] = [new AbortController(), new Error('stopped')]
    const waiting = acceptor.accept(testDocument, months('DEU'), { signal: stop.signal })
    const next = acceptor.accept(testDocument, months('JPN'))
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    written.resolve()
    expect(await Promise.all([first, next])).toMatchObject([{ new: 12 }, { new: 12 }])
    expect(await valuesOf(journal, 'releases')).toHaveLength(24)
  })

  it.each<Fault>(['unknown_but_written', 'unknown_and_not_written', 'unavailable'])(
    'figures are written once if the transaction of a further country is %s',
    async (fault) => {
      const { server } = await openTestJournal()
      const faults: Fault[] = ['ok', fault]
      const { journal } = await openTestJournal(
        (real: Journal) => faultyJournal(real, () => faults.shift() ?? 'ok'),
        server,
      )
      const acceptor = new Acceptor(journal)
      await acceptor.accept(testDocument, months('USA'))
      expect(await acceptor.accept(testDocument, months('DEU'))).toMatchObject({ new: 12 })
      expect(await valuesOf(journal, 'releases')).toHaveLength(24)
    },
  )

  it('a document of prices reads no release, and one of both kinds writes figures once', async () => {
    const { journal } = await openTestJournal()
    await new Acceptor(journal).accept(testDocument, months('USA'))
    const read = vi.spyOn(journal, 'read')
    const acceptor = new Acceptor(journal)
    const price: Item = {
      kind: 'price',
      symbol: 'EUR-USD',
      printed: '1.1',
      observedAt: '2026-01-05T00:00:00.000Z',
      location: 'line 1',
    }
    expect(await acceptor.accept(testDocument, [price])).toMatchObject({ prices: 1 })
    await acceptor.reject(testDocument, new DocumentError('unreadable', 'not a table', 'line 1'))
    expect(read.mock.calls.filter(([topic]) => topic === 'releases')).toEqual([])
    expect(await acceptor.accept(testDocument, [price, ...months('USA')])).toMatchObject({ new: 0, unchanged: 13 })
  })

  it('a release is never earlier than one on record, of any country', async () => {
    const { journal } = await openTestJournal()
    const later = Date.parse('2026-06-01T00:00:00.000Z')
    await new Acceptor(journal, { now: () => later }).accept(testDocument, months('DEU'))
    await new Acceptor(journal, { now: () => later - 86_400_000 }).accept(testDocument, months('USA'))
    expect((await recordsOf(journal, 'releases')).map(({ timestamp }) => timestamp)).toEqual(Array(24).fill(later))
  })

  it('values of other countries are not decoded', async () => {
    const { server, journal } = await openTestJournal()
    await new Acceptor(journal).accept(
      testDocument,
      all.flatMap((code) => months(code)),
    )
    const damaged = (real: Journal): Journal => {
      const read: Journal['read'] = async (address, offset, limits) => {
        const batch = await real.read(address, offset, limits)
        const records = batch.records.map((record) =>
          record.key === 'USA' || record.key === null ? record : { ...record, value: new Uint8Array() },
        )
        return { ...batch, records }
      }
      return new Proxy(real, { get: (target, name) => (name === 'read' ? read : bound(target, name)) })
    }
    const { journal: other } = await openTestJournal(damaged, server)
    expect(await new Acceptor(other).accept(testDocument, months('USA'))).toMatchObject({ unchanged: 12 })
    await expect(new Acceptor(other).accept(testDocument, months('DEU'))).rejects.toThrow(/wire format/)
  })
})

/** A member of an object, with its methods bound to it. */
function bound(target: Journal, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name, target)
  return typeof member === 'function' ? member.bind(target) : member
}
