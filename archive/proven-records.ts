import { hash } from 'node:crypto'
import { errorMessage } from '../base/errors.ts'
import { type ChainEntry, dataName, entryName } from './chain-entry.ts'
import { HASH } from './digest.ts'
import { ArchiveError } from './errors.ts'
import { PackedCursor, type PackedRecords } from './packed-records.ts'
import { decodeSegment } from './segment-reader.ts'
import { type Account, SegmentTally } from './segment-tally.ts'

/**
 * Yields the records of an entry's data file, and proves them: before the first one that the file has its hash, with the
 * last one that they are those that the entry counts and chains. Throws `damaged`, which names file and place.
 */
export async function* provenRecords(entry: ChainEntry, bytes: Uint8Array): AsyncGenerator<PackedRecords> {
  assertWhole(entry, bytes)
  const file = dataName(entry.topic, String(entry.file))
  const damaged = (detail: string, cause?: unknown) => new ArchiveError('damaged', detail, { file, cause })
  const tally = new SegmentTally(entry.before)
  const record = new PackedCursor()
  let least = entry.from
  const groups = decodeSegment(bytes)
  for (;;) {
    let group: IteratorResult<PackedRecords>
    try {
      group = await groups.next()
    } catch (cause) {
      throw damaged(`cannot be read from offset ${least} on (${errorMessage(cause)})`, cause)
    }
    if (group.done) break
    for (let i = 0; i < group.value.ends.length; i++) {
      record.read(group.value, i)
      if (!(record.offset >= least && record.offset < entry.to))
        throw damaged(`offset ${record.offset} is not between ${least} and ${entry.to}`)
      least = record.offset + 1
    }
    tally.add(group.value)
    yield group.value
  }
  assertSame(entry, tally.account())
}

/** Throws `damaged` unless these are the bytes of an entry's data file. */
export function assertWhole(entry: ChainEntry, bytes: Uint8Array): void {
  const file = dataName(entry.topic, String(entry.file))
  const damaged = (detail: string) => new ArchiveError('damaged', detail, { file })
  const sha256 = hash(HASH, bytes)
  if (sha256 !== entry.file) throw damaged(`${bytes.length} bytes have the SHA-256 ${sha256}, not that of its name`)
  if (bytes.length !== entry.bytes) throw damaged(`has ${bytes.length} bytes, and its entry says ${entry.bytes}`)
}

/** Throws `damaged` unless the entry says of its records what was found. */
function assertSame(entry: ChainEntry, found: Account): void {
  const wrong = (Object.keys(found) as (keyof Account)[]).find((name) => entry[name] !== found[name])
  if (wrong === undefined) return
  const detail = `${wrong} is ${entry[wrong]}, and its data file's records have ${found[wrong]}`
  throw new ArchiveError('damaged', detail, { file: entryName(entry.topic, entry.partition, entry) })
}
