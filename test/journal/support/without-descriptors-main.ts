import { openSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbeddedAccess } from '../../../access/embedded/open.ts'
import { currentProcess, fateOf } from '../../../base/process/process-identity.ts'
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'

/** Uses up every descriptor of this process, then appends to a journal and renews a lease; prints how each went. */
const [dir = ''] = process.argv.slice(2)
const journal = await openEmbeddedJournal({ dir: join(dir, 'journal') })
await journal.ensureTopics({ ticks: { partitions: 1, cleanup: 'delete', retentionMs: null } })
const access = await openEmbeddedAccess(join(dir, 'access'))
const who = { keyId: 'key', account: 'account' }
const taken = await access.leases.take(who, 10, Date.now())
if (taken.outcome !== 'granted') throw new Error(taken.outcome)

const tick = { key: null, value: Buffer.from('tick'), timestamp: Date.now(), headers: {} }
/** The outcome of one write or look, as text. */
const outcomeOf = async (run: () => unknown): Promise<string> => {
  try {
    return JSON.stringify(await run())
  } catch (error) {
    return String(error)
  }
}
const append = () => journal.append({ topic: 'ticks', partition: 0, records: [tick] })
const renew = () => access.leases.renew(who, [taken.lease], Date.now())
await append()

let exhausted = ''
while (exhausted === '') {
  try {
    openSync('/dev/null', 'r')
  } catch (error) {
    exhausted = (error as NodeJS.ErrnoException).code ?? String(error)
  }
}
const outcomes: string[] = []
for (const run of [() => fateOf(currentProcess), append, renew, append, renew]) outcomes.push(await outcomeOf(run))
process.stdout.write(`${JSON.stringify({ exhausted, outcomes })}\n`)
process.exit(0)
