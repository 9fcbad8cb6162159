import { join } from 'node:path'
import { startMemory } from '../../cli/processes/memory.ts'
import type { Release } from '../../contracts/records.ts'
import type { Topic } from '../../contracts/topics.ts'
import { addDays } from '../../domain/day.ts'
import type { Candidate } from '../../domain/decide-release.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { Lineage } from '../../domain/lineage.ts'
import { endOfPeriod, shiftPeriod } from '../../domain/period.ts'
import { asKnown, type KnownRelease } from '../../domain/prints.ts'
import { loadConfig } from '../../infra/config.ts'
import type { Item } from '../../ingest/source.ts'
import type { Journal } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { processorInputs, runProcessors } from '../../processors/main.ts'
import { openTestJournal, until } from './journal.ts'
import { accepted, candidate, flowSeries, testSeries } from './releases.ts'

/** Journals that differ in how far back they go and how often each figure was revised, and counts of what is read of them. */

/** The newest month of every journal. */
const LAST = '2026-09'
const countries = ['USA', 'DEU', 'JPN', 'FRA']

/** Prices and a rate of four countries: each of `months` months is published, and revised in each of the `depth - 1` after it. */
export class Grown {
  readonly #derived = nothingDerived()
  readonly #known = new Map<string, KnownRelease>()

  releases(months: number, depth: number): Release[] {
    const all: Release[] = []
    for (let i = 1 - months; i <= 0; i++) {
      for (const country of countries) {
        for (let age = Math.min(depth, months + i) - 1; age >= 0; age--)
          all.push(...this.published(country, shiftPeriod(LAST, i - age), shiftPeriod(LAST, i), age))
      }
    }
    return all
  }

  /** The figures of a month as they were published after another one, and what follows from them. */
  published(country: string, period: string, after: string, revision: number): Release[] {
    const on = addDays(endOfPeriod(after), 20)
    const released: Partial<Candidate> = { released: { on, basis: 'publisher' } }
    const value = 100 + ((Number(period.slice(5)) * 7) % 10) / 10 + revision / 100
    const prices = this.#take(
      candidate(testSeries({ country, base_period: '1950' }), period, { value: String(value) }, released),
      on,
    )
    const rates = testSeries({ country, indicator: 'unemployment', unit: 'percent' })
    const rate = this.#take(candidate(rates, period, { rate: String(value / 20) }, released), on)
    return [prices, rate, ...deriveFrom(this.#derived, [prices, rate])]
  }

  #take(figure: Candidate, on: string): Release {
    const place = `${figure.series.id} ${figure.period}`
    const release = accepted(figure, this.#known.get(place), `${on}T12:00:00.000Z`)
    this.#known.set(place, asKnown(release, this.#known.get(place)))
    return release
  }
}

/**
 * Documents of the exports and of the imports of each country: every month is printed once, and revised in each of the
 * `vintages - 1` after it.
 */
export const documentsWithVintages = (countryCount: number, months: number, vintages: number): Item[][] =>
  countries.slice(0, countryCount).flatMap((country) =>
    (['trade-exports', 'trade-imports'] as const).map((indicator, flow) => {
      const series = flowSeries(indicator, { country })
      return Array.from({ length: months }, (_, month) => {
        const after = shiftPeriod(LAST, month + 1 - months)
        return Array.from({ length: Math.min(vintages, month + 1) }, (_, age) => ({
          kind: 'figure' as const,
          series,
          period: shiftPeriod(after, -age),
          figures: { value: { printed: String(1_000 + 100 * flow + ((7 * (month - age)) % 10) * 10 + (age % 3)) } },
          released: { on: addDays(endOfPeriod(after), 20), basis: 'publisher' as const },
          location: `month ${month}`,
        }))
      }).flat()
    }),
  )

/** A journal of releases, which counts the records of the topic that it gives to its readers. */
export async function journalOf(releases: readonly Release[]) {
  let read = 0
  const opened = await openTestJournal((real) => countingReads(real, (records) => (read += records)))
  await appendReleases(opened.journal, releases)
  return {
    ...opened,
    directory: opened.directory,
    /** Number of releases read while `work` is done. */
    readsOf: async (work: () => Promise<unknown>): Promise<number> => {
      const before = read
      await work()
      return read - before
    },
  }
}

export async function appendReleases(journal: TypedJournal, releases: readonly Release[]): Promise<void> {
  const drafts = releases.map((value) => ({ value, id: value.release_id, at: Date.parse(value.recorded_at) }))
  for (let from = 0; from < drafts.length; from += 1_000)
    await journal.append('releases', 0, drafts.slice(from, from + 1_000))
}

function countingReads(real: Journal, count: (records: number) => void): Journal {
  const isReleases = ({ topic }: { readonly topic: string }) => topic.endsWith('releases')
  return {
    ...bound(real),
    async read(address, offset, options) {
      const batch = await real.read(address, offset, options)
      if (isReleases(address)) count(batch.records.length)
      return batch
    },
    async *follow(address, offset, signal, options) {
      for await (const batch of real.follow(address, offset, signal, options)) {
        if (isReleases(address)) count(batch.records.length)
        yield batch
      }
    },
  }
}

const bound = (real: Journal): Journal => ({
  get id() {
    return real.id
  },
  get generations() {
    return real.generations
  },
  ensureTopics: (topics, options) => real.ensureTopics(topics, options),
  append: (write) => real.append(write),
  transact: (claim, writes, positions) => real.transact(claim, writes, positions),
  read: (address, offset, options) => real.read(address, offset, options),
  readValues: (address, offset, take, limits) => real.readValues(address, offset, take, limits),
  follow: (address, offset, signal, options) => real.follow(address, offset, signal, options),
  bounds: (address) => real.bounds(address),
  offsetForTime: (address, time) => real.offsetForTime(address, time),
  cut: (places) => real.cut(places),
  claim: (name, signal) => real.claim(name, signal),
  retain: (now) => real.retain(now),
  close: () => real.close(),
})

/** Runs all processors until they have taken in every release, and stops them: each then saves a checkpoint. */
export async function processAll(journal: TypedJournal, directory: string): Promise<void> {
  const stop = new AbortController()
  const positions = new Map<string, number>()
  const running = runProcessors({
    journal,
    checkpoints: fileCheckpoints(join(directory, 'checkpoints'), new Lineage(journal)),
    signal: stop.signal,
    onProgress: (name, _partition, { topic, position }) => positions.set(`${name}/${topic}`, position),
  })
  const readers = processorInputs.filter(({ topic }: { readonly topic: Topic }) => topic === 'releases')
  await Promise.race([
    running,
    until('every processor has read the releases', async () => {
      const { end } = await journal.bounds('releases', 0)
      return readers.every(({ processor }) => positions.get(`${processor}/releases`) === end)
    }),
  ])
  stop.abort()
  await running
}

/** Fills the memory of the api, which keeps a checkpoint of it, and stops following the journal. */
export async function startApi(journal: TypedJournal, directory: string): Promise<void> {
  const stop = new AbortController()
  const tasks: Promise<unknown>[] = []
  const memory = startMemory({
    config: loadConfig({}),
    journal,
    lifecycle: { signal: stop.signal, run: (_, task) => void tasks.push(task) },
    checkpoints: fileCheckpoints(join(directory, 'checkpoints'), new Lineage(journal)),
    log: { warn: (_: unknown, message?: string) => Promise.reject(new Error(message)) },
    worthKeeping: 1_000,
  })
  await memory.loaded
  stop.abort()
  await Promise.all(tasks)
}

/** The object with each call of its methods counted. */
export function counted<T extends object>(real: T, count: (method: string) => void): T {
  return new Proxy(real, {
    get(target, name) {
      // A cast: what is asked for is a member.
      const member = target[name as keyof T]
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        count(String(name))
        return member.apply(target, args)
      }
    },
  })
}
