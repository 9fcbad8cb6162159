import { afterAll, expect, it } from 'vitest'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import {
  type Claim,
  type Journal,
  type JournalError,
  MAX_RECORD_BYTES,
  type PartitionAddress,
  type Write,
} from '../../journal/journal.ts'
import {
  COMPACTED,
  KEPT,
  plain,
  readAll,
  readAllValues,
  record,
  TRUNCATED,
} from '../contracts/support/journal-world.ts'
import { MemoryServer } from '../support/memory-journal/server.ts'
import { randomFrom } from '../support/random.ts'
import { newDir, remove } from './support/embedded-world.ts'

/** ALMANAC_TEST_HISTORIES=300 for a long run; ALMANAC_TEST_SEED repeats one. */
const HISTORIES = Number(process.env.ALMANAC_TEST_HISTORIES ?? 1) * 6
const STEPS = 60
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

const dir = await newDir()
afterAll(() => remove(dir))

/** Two clients of a journal, and the claims that they hold and held. */
class Side {
  readonly #open: () => Promise<Journal>
  clients: Journal[] = []
  readonly held = new Map<string, Claim>()
  readonly former: Claim[] = []

  constructor(open: () => Promise<Journal>) {
    this.#open = open
  }

  async open(): Promise<void> {
    this.clients = [await this.#open(), await this.#open()]
  }

  async close(): Promise<void> {
    this.former.push(...this.held.values())
    this.held.clear()
    for (const client of this.clients) await client.close()
  }

  /** Claims the name for a client, after its owner has released it. */
  async claim(client: Journal, name: string): Promise<number> {
    const owned = this.held.get(name)
    if (owned) this.former.push(owned)
    await owned?.release()
    const claim = await client.claim(name)
    this.held.set(name, claim)
    return claim.epoch
  }
}

type Step = { readonly kind: string; readonly take: (side: Side, client: Journal) => Promise<unknown> }

/** Draws operations. What one of them does depends on the numbers drawn alone, so that both journals are given the same. */
class Draw {
  readonly #random: () => number
  readonly #history: number
  #time = 0

  constructor(random: () => number, history: number) {
    this.#random = random
    this.#history = history
  }

  get topics() {
    return {
      [`kept-${this.#history}`]: { ...KEPT, partitions: 2 },
      [`aged-${this.#history}`]: TRUNCATED,
      [`compacted-${this.#history}`]: COMPACTED,
    }
  }

  get addresses(): PartitionAddress[] {
    return Object.entries(this.topics).flatMap(([topic, { partitions }]) =>
      Array.from({ length: partitions }, (_, partition) => ({ topic, partition })),
    )
  }

  step(): Step {
    const [address, other, time] = [this.#address(), this.#address(), this.#time * 1_000]
    const [write, more] = [this.#write(address), this.#write(other)]
    const name = this.#one([`one-${this.#history}`, `two-${this.#history}`])
    const [offset, limit] = [this.#below(this.#time + 2), 1 + this.#below(5)]
    const share = this.#random()
    /** An offset of the partition, or one before its start or behind its end. */
    const within = async (client: Journal) => {
      const { start, end } = await client.bounds(address)
      return start - 1 + Math.floor(share * (end - start + 3))
    }
    const limits = this.#one([{}, { maxRecords: limit }, { maxBytes: 400 * limit }])
    const steps: Record<string, Step['take']> = {
      append: (_, client) => client.append(write),
      transact: async (side, client) => {
        const claim = side.held.get(name)
        return claim && client.transact(claim, [write, more, write], [{ ...address, offset }])
      },
      'transact of a former owner': async (side, client) => {
        const claim = side.former.at(-limit)
        return claim && client.transact(claim, [write], [{ ...address, offset }])
      },
      'append of too large a record': (_, client) =>
        client.append({
          ...address,
          records: [...write.records, record('', { value: Buffer.alloc(MAX_RECORD_BYTES + 1) })],
        }),
      claim: (side, client) => side.claim(client, name),
      release: async (side) => side.held.get(name)?.release(),
      position: async (side) => side.held.get(name)?.position(address, this.#otherName(name)),
      read: async (_, client) => {
        const { records, next, end } = await client.read(address, await within(client), limits)
        return { records: records.map(plain), isAtEnd: next === end, end }
      },
      'read of what is wanted': async (_, client) =>
        (
          await client.read(address, await within(client), { ...limits, isWanted: ({ key }) => key === 'a' })
        ).records.map(plain),
      readValues: async (_, client) => readAllValues(client, address, await within(client), limits),
      bounds: (_, client) => client.bounds(address),
      offsetForTime: (_, client) => client.offsetForTime(address, time - 500 * limit * limit),
      retain: (_, client) => client.retain(time + 1_000 - 3_000 * (limit - 1)),
      cut: async (_, client) => {
        const { bounds, tails, claims } = await client.cut([{ ...address, tail: await within(client) }, other])
        const ours = claims.filter(({ name }) => name.endsWith(`-${this.#history}`))
        return { bounds, tails: Object.entries(tails).map(([key, records]) => [key, records.map(plain)]), ours }
      },
      reopen: async (side) => {
        await side.close()
        await side.open()
      },
      'call with an unknown partition': (_, client) => client.read({ ...address, partition: limit + 1 }, 0),
      'ensure of another partition count': (_, client) =>
        client.ensureTopics({ [address.topic]: { ...KEPT, partitions: 3 } }),
    }
    const kinds = Object.keys(steps)
    const kind =
      this.#random() < 0.5
        ? this.#one(['append', 'append', 'transact', 'transact', 'read', 'retain'])
        : this.#one(kinds)
    return { kind, take: steps[kind] as Step['take'] }
  }

  #otherName = (name: string) => (this.#time % 2 === 0 ? name : `two-${this.#history}`)

  #address(): PartitionAddress {
    return this.#one(this.addresses)
  }

  #write(address: PartitionAddress): Write {
    const records = Array.from({ length: this.#below(4) }, () => {
      // Times go backwards now and then.
      const timestamp = Math.max(0, this.#time++ - this.#below(3)) * 1_000
      const headers = this.#below(2) === 0 ? {} : { cause: `${this.#time}` }
      const text = `${this.#time} ${'x'.repeat(this.#one([0, 0, 300, 3_000]))}`
      return record(text, { key: this.#one([null, 'a', 'b', 'c']), timestamp, headers })
    })
    return { ...address, records }
  }

  #below = (limit: number) => Math.floor(this.#random() * limit)
  #one = <T>(values: readonly T[]): T => values[this.#below(values.length)] as T
}

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    (value) => ({ value }),
    (error: JournalError) => ({ failed: error.code ?? error.name, range: error.range }),
  )

it(`a random history gives the same results in memory and in LMDB (seed ${SEED})`, async () => {
  const server = new MemoryServer()
  const sides = [new Side(async () => server.open()), new Side(() => openEmbeddedJournal({ dir }))] as const
  for (const side of sides) await side.open()
  const taken = new Map<string, number>()
  for (let history = 0; history < HISTORIES; history++) {
    const random = randomFrom(SEED + history)
    const draw = new Draw(random, history)
    for (const side of sides) await side.clients[0]?.ensureTopics(draw.topics)
    for (let n = 0; n < STEPS; n++) {
      const { kind, take } = draw.step()
      const which = random() < 0.5 ? 0 : 1
      const [memory, embedded] = await Promise.all(
        sides.map((side) => outcomeOf(take(side, side.clients[which] as Journal))),
      )
      expect(memory, `seed ${SEED}, history ${history}, step ${n}: ${kind}`).toEqual(embedded)
      const ends = sides.map((side) =>
        Promise.all(draw.addresses.map((address) => side.clients[which]?.bounds(address))),
      )
      expect(await ends[0], `bounds after step ${n}: ${kind}`).toEqual(await ends[1])
      const end = memory !== undefined && 'failed' in memory ? `${kind}: ${memory.failed}` : kind
      taken.set(end, (taken.get(end) ?? 0) + 1)
    }
    for (const address of draw.addresses) {
      const contents = sides.map(async (side) => {
        const client = side.clients[0] as Journal
        return (await readAll(client, address, (await client.bounds(address)).start)).records.map(plain)
      })
      expect(await contents[0]).toEqual(await contents[1])
    }
  }
  for (const side of sides) await side.close()
  for (const kind of ['append', 'transact', 'read', 'read: offset_out_of_range', 'retain'])
    expect(taken.get(kind), kind).toBeGreaterThan(0)
})
