import type { Archive } from '../../archive/archive.ts'
import { boundsOf } from '../../archive/chain.ts'
import { program } from '../../contracts/program.ts'
import { topicNames, topics } from '../../contracts/topics.ts'
import type { Config } from '../../infra/config.ts'
import { checkArchive, tellingArchiveFaults, withArchive } from '../archives.ts'
import { parsed } from '../arguments.ts'
import { type Command, print, UsageError } from '../command.ts'
import { counted } from '../counted.ts'

export const command: Command = {
  usage: `${program} archive verify [DIR]
${program} archive status [DIR]

DIR is the place of an archive, as in ALMANAC_ARCHIVE, which is the default.

verify reads every file: each data file must have the hash that names it, and its records must be those that its entry counts
and chains. It prints each fault with file and place. The service may run. Exit code 4 if something is damaged or missing, 2
if there is no archive.

status lists each partition with its offsets, times, records, segments and bytes.`,
  async run([action = '', ...args], config) {
    if (action !== 'verify' && action !== 'status')
      throw new UsageError(
        `unknown action ${JSON.stringify(action)}: use verify or status (\`${program} help archive\` explains them)`,
      )
    const { positionals } = parsed(args, {}, 1)
    const address = addressOf(positionals[0], config)
    return tellingArchiveFaults(() => withArchive(address, action === 'verify' ? verify : status))
  },
}

function addressOf(given: string | undefined, { archive }: Config): string {
  const address = given ?? archive?.address
  if (address === undefined)
    throw new UsageError('ALMANAC_ARCHIVE is empty: set it, or name the directory of an archive')
  return address
}

async function verify(archive: Archive): Promise<number> {
  const { entries, records, bytes, verdict, exitCode } = await checkArchive(archive)
  const read = `${counted(records, 'record')} in ${counted(entries, 'entry', 'entries')}, ${counted(bytes, 'byte')}`
  print(`${archive.store.address}: ${read}, ${verdict}`)
  return exitCode
}

async function status(archive: Archive): Promise<number> {
  print(`archive of journal ${archive.journal} in ${archive.store.address}`)
  let isEmpty = true
  for (const topic of topicNames) {
    for (let partition = 0; partition < topics[topic].partitions; partition++) {
      const chain = await archive.chain(topic, partition)
      const bounds = boundsOf(chain)
      if (!bounds) continue
      isEmpty = false
      const sum = (of: (entry: (typeof chain)[number]) => number) =>
        chain.reduce((total, entry) => total + of(entry), 0)
      const times = chain.flatMap(({ min_time, max_time }) => [min_time, max_time]).filter((time) => time !== null)
      const [records, bytes] = [sum((entry) => entry.count), sum((entry) => entry.bytes)]
      const contents = `${counted(records, 'record')} in ${counted(chain.length, 'segment')}, ${counted(bytes, 'byte')}`
      const [first = '–', last = '–'] = [times.toSorted()[0], times.toSorted().at(-1)]
      print(`${topic}/${partition} offsets ${bounds.start} to ${bounds.end}, ${first} to ${last}: ${contents}`)
      for (const { from, to } of chain.filter(({ gap }) => gap))
        print(
          `${topic}/${partition} offsets ${from} to ${to} are missing: the journal deleted them before they were archived`,
        )
    }
  }
  if (isEmpty)
    print('nothing is archived yet: a service with the role archive writes what is recorded, some seconds later')
  return 0
}
