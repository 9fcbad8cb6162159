/**
 * A process that damages copies of a journal and uses each, to be watched by a test: the engine may end it. States as JSON
 * lines what it is about to do, then what came of it.
 *
 *   node damage-process.ts make <dir>                                     makes a journal with every kind of page
 *   node damage-process.ts damage <dir> <copies> <seed> <first> <last>    damages copies of it, numbered
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import type { Journal, NewRecord } from '../../../journal/journal.ts'

const [role, dir = '', copies = '', seed = '0', first = '0', last = '0'] = process.argv.slice(2)
const say = (fact: object) => writeSync(1, `${JSON.stringify(fact)}\n`)
const kept = { cleanup: 'delete', retentionMs: null } as const
const topics = {
  many: { partitions: 3, ...kept },
  out: { partitions: 1, ...kept },
  keyed: { partitions: 1, cleanup: 'compact', retentionMs: null },
} as const

async function make(): Promise<void> {
  const journal = await openEmbeddedJournal({ dir })
  await journal.ensureTopics(topics)
  const claim = await journal.claim('processor')
  const text = (value: string, key: string | null = null): NewRecord => ({
    key,
    value: Buffer.from(value),
    timestamp: 1_700_000_000_000,
    headers: { 'record-id': `TEST-${value.length}` },
  })
  for (let round = 0; round < 60; round++) {
    const partition = round % 3
    const records = Array.from({ length: 60 }, (_, i) =>
      text(`${round}.${i} ${'x'.repeat(i * (round % 2 === 0 ? 3 : 8))}`, `k${i}`),
    )
    await journal.append({ topic: 'many', partition, records })
    const long = round % 10 === 0 ? 9_000 : 40
    await journal.transact(
      claim,
      [
        { topic: 'out', partition: 0, records: [text(`${round} ${'y'.repeat(long)}`)] },
        { topic: 'keyed', partition: 0, records: [text(`${round}`, `key ${round % 23}`), text(`no key ${round}`)] },
      ],
      [{ topic: 'many', partition, offset: round }],
    )
  }
  await claim.release()
  await journal.close()
}

async function contentsOf(journal: Journal): Promise<string> {
  const contents: string[] = [journal.id]
  for (const [topic, { partitions }] of Object.entries(topics))
    for (let partition = 0; partition < partitions; partition++) {
      const { start, end } = await journal.bounds({ topic, partition })
      contents.push(`${topic}/${partition} ${start} ${end}`)
      for (let at = start; at < end; ) {
        const batch = await journal.read({ topic, partition }, at)
        for (const { offset, key, value, headers, timestamp } of batch.records)
          contents.push(
            `${offset} ${key} ${timestamp} ${JSON.stringify(headers)} ${Buffer.from(value).toString('latin1')}`,
          )
        at = batch.next
      }
    }
  return contents.join('\n')
}

/** xorshift32, so that a number names a damage. */
function drawing(number: number): (below: number) => number {
  let state = (number * 2_654_435_761 + 1) >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state
  }
  for (let i = 0; i < 8; i++) next()
  return (below) => next() % below
}

const PAGE = 4_096

/** Damages a data file and says how. Heads are hit more often than their share: they are few, and matter most. */
function damage(file: string, number: number): string {
  const draw = drawing(Number(seed) * 1_000_003 + number)
  const bytes = readFileSync(file)
  const pages = Math.floor(bytes.length / PAGE)
  const page = draw(6) === 0 ? draw(2) : draw(pages)
  const kind = draw(10)
  if (kind === 0) {
    const length = draw(4) === 0 ? draw(3 * PAGE) : draw(bytes.length)
    truncateSync(file, length)
    return `cut to ${length} bytes`
  }
  if (kind === 1) bytes.fill(0, page * PAGE, (page + 1) * PAGE)
  else if (kind === 2) bytes.copyWithin(page * PAGE, draw(pages) * PAGE, draw(pages) * PAGE + PAGE)
  else {
    // Half of the flips in the first bytes of a page, where its structure stands.
    const at = page * PAGE + (draw(2) === 0 ? draw(200) : draw(PAGE))
    const bit = draw(8)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
    writeFileSync(file, bytes)
    return `bit ${bit} of byte ${at % PAGE} of page ${page} flipped`
  }
  writeFileSync(file, bytes)
  return `page ${page} ${kind === 1 ? 'zeroed' : 'overwritten by another'}`
}

async function damageAll(): Promise<void> {
  const whole = await openEmbeddedJournal({ dir, create: false })
  const expected = await contentsOf(whole)
  await whole.close()
  for (let number = Number(first); number < Number(last); number++) {
    const copy = join(copies, `${number}`)
    mkdirSync(copy, { recursive: true })
    copyFileSync(join(dir, 'data.mdb'), join(copy, 'data.mdb'))
    if (existsSync(join(dir, 'lock.mdb'))) copyFileSync(join(dir, 'lock.mdb'), join(copy, 'lock.mdb'))
    const how = damage(join(copy, number % 25 === 24 ? 'lock.mdb' : 'data.mdb'), number)
    say({ number, how: number % 25 === 24 ? `lock.mdb: ${how}` : how })
    say({ number, came: await use(copy, expected) })
    rmSync(copy, { recursive: true })
  }
}

/** `right`: all records are as they were, and more can be written. Else the name and message of the error. */
async function use(copy: string, expected: string): Promise<string> {
  try {
    for (const round of [0, 1]) {
      const journal = await openEmbeddedJournal({ dir: copy, create: false })
      try {
        const contents = await contentsOf(journal)
        if (round === 0 && contents !== expected) return 'WRONG RECORDS'
        const claim = await journal.claim('writer')
        const value = Buffer.alloc(3_000)
        for (let i = 0; i < 20; i++)
          await journal.transact(claim, [
            { topic: 'keyed', partition: 0, records: [{ key: `key ${i}`, value, timestamp: 0, headers: {} }] },
          ])
      } finally {
        await journal.close()
      }
    }
    return 'right'
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
}

await (role === 'make' ? make() : damageAll())
