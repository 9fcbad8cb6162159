/** Backs up or restores once, to be killed meanwhile. Arguments: `backup` or `restore`, data directory, backup directory. */
import { join } from 'node:path'
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import { localRegistry } from '../../../journal/registry.ts'
import { TypedJournal } from '../../../journal/typed.ts'
import { backUpTo, embeddedTarget, restoreFrom } from './backed-up.ts'

const [action, directory = '', backup = ''] = process.argv.slice(2)
process.stdout.write('running\n')
if (action === 'restore') await restoreFrom(backup, embeddedTarget(directory))
else {
  const embedded = await openEmbeddedJournal({ dir: join(directory, 'journal'), create: false })
  const journal = await TypedJournal.open(embedded, localRegistry())
  await backUpTo(backup, journal)
  await journal.close()
}
process.stdout.write('done\n')
