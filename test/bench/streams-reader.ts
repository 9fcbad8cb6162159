/** A reader of the streams bench, a process of its own: reads all events of the journal in a directory, sending them to nobody. */
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { answerTo, usage } from './streams-process.ts'

const bytes = await openEmbeddedJournal({ dir: process.argv[2] ?? '' })
const typed = await TypedJournal.open(bytes, localRegistry())
const { end } = await typed.bounds('events', 0)

async function all(read: (at: number) => Promise<{ readonly next: number }>): Promise<object> {
  for (let at = 0; at < end; ) at = (await read(at)).next
  return {}
}

answerTo({
  usage: () => usage(),
  records: () => all((at) => typed.read('events', 0, at)),
  bytes: () => all((at) => bytes.read({ topic: 'almanac.events', partition: 0 }, at)),
})
process.send?.({})
