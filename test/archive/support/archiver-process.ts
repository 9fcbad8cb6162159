/**
 * Writes records to a journal and archives them with almost no waiting, until it is killed. Arguments: directory, and number
 * of the first record.
 */
import { join } from 'node:path'
import { Archiver } from '../../../archive/archiver.ts'
import { DirectoryStore } from '../../../archive/directory.ts'
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import { localRegistry } from '../../../journal/registry.ts'
import { TypedJournal } from '../../../journal/typed.ts'
import { writeSome } from './archived-journal.ts'

const [directory = '', first = '0'] = process.argv.slice(2)
const journal = await TypedJournal.open(await openEmbeddedJournal({ dir: join(directory, 'journal') }), localRegistry())
const store = new DirectoryStore(join(directory, 'archive'))
// What was replaced stays for a moment only, so that a kill may also hit its deletion.
const archiver = new Archiver({ journal, store, sealMs: 1, retentionMs: null, upkeepMs: 100, graceMs: 1_500 })
const done = archiver.run(new AbortController().signal)
process.stdout.write('running\n')
for (let n = Number(first); ; n++) {
  await writeSome(journal, n, 1 + (n % 7))
  await Promise.race([new Promise((resolve) => setTimeout(resolve, 3)), done])
}
