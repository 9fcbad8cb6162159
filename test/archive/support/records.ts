import fc from 'fast-check'
import type { Topic } from '../../../contracts/topics.ts'
import { codecFor } from '../../../journal/codec.ts'
import type { PortableRecord } from '../../../journal/portable-records.ts'
import { localRegistry } from '../../../journal/registry.ts'
import { eventNumber, rejectedNumber, releaseNumber } from '../../support/journal-records.ts'

const AVRO_FROM = 5

const encoders = {
  releases: await codecFor('releases', localRegistry()),
  ticks: await codecFor('ticks', localRegistry()),
  events: await codecFor('events', localRegistry()),
  quarantine: await codecFor('quarantine', localRegistry()),
}

const instant = (n: number) => new Date(Date.UTC(2026, 0, 1) + n).toISOString()

/** Bodies as the service writes them, by number. */
const bodies: Readonly<
  Record<'releases' | 'ticks' | 'events' | 'quarantine', (n: number, text: string) => Uint8Array>
> = {
  releases: (n, text) =>
    encoders.releases.encode({
      ...releaseNumber(n),
      figures: { value: text, other: '1.5' },
      published: { [text]: text },
    }),
  ticks: (n, text) =>
    encoders.ticks.encode({
      kind: 'price',
      symbol: `S${n % 7}`,
      source: 'TEST',
      price: n % 3 === 0 ? text : `${n}.25`,
      observed_at: instant(n),
      recorded_at: instant(n),
      url: '',
    }),
  events: (n, text) => encoders.events.encode({ ...eventNumber(n), data: JSON.stringify(text) }),
  quarantine: (n, text) => encoders.quarantine.encode({ ...rejectedNumber(n), detail: text }),
}
const versions = { releases: 1, ticks: 2, events: 1, quarantine: 1 } as const
type Drawn = keyof typeof bodies
export const drawnTopics = Object.keys(bodies) as readonly Drawn[]

/** Any text that a journal can store, the empty one, a byte order mark and characters beyond 16 bits included. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '\uFEFF', '1e400', '0.1'.repeat(9)),
)
const headerName = fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.constant('__proto__') })

const record = (topic: Drawn) =>
  fc
    .record({
      gap: fc.integer({ min: 1, max: 5 }),
      n: fc.nat(100_000),
      text,
      undecodable: fc.option(fc.uint8Array({ maxLength: 40 }), { freq: 8 }),
      timestamp: fc.oneof(
        fc.integer({ min: -1e14, max: 1e14 }),
        fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_100 }),
      ),
      key: fc.option(text),
      headers: fc.dictionary(headerName, text, { maxKeys: 4 }),
    })
    .map(({ n, text: drawn, undecodable, ...rest }) => ({
      ...rest,
      schema: versions[topic],
      body: undecodable ?? bodies[topic](n, drawn).subarray(AVRO_FROM),
    }))

export type DrawnRecords = { readonly topic: Topic; readonly records: readonly PortableRecord[]; readonly end: number }

/** Any records of a partition, from offset 0 on with holes. */
export const anyRecords = (options: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<DrawnRecords> =>
  fc.constantFrom(...drawnTopics).chain((topic) =>
    fc.array(record(topic), options).map((drawn) => {
      let offset = 0
      const records = drawn.map(({ gap, ...rest }) => {
        offset += gap
        return { ...rest, offset: offset - 1 }
      })
      return { topic, records, end: offset }
    }),
  )

/** The same record made of plain data, for comparisons. */
export const plainRecord = ({ body, headers, ...rest }: PortableRecord) => ({
  ...rest,
  headers: Object.fromEntries(Object.entries(headers)),
  body: Buffer.from(body).toString('hex'),
})

/** Tick n, at offset n. */
export const tick = (n: number): PortableRecord => ({
  offset: n,
  timestamp: Date.UTC(2026, 0, 1) + n,
  key: `S${n % 7}`,
  headers: { 'record-id': `tck_${n}`, 'recorded-at': instant(n) },
  schema: versions.ticks,
  body: bodies.ticks(n, '1.5').subarray(AVRO_FROM),
})
