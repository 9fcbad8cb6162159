import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { program } from '../../contracts/program.ts'
import { Acceptor, emptyTally } from '../../ingest/accept.ts'
import { ParserProcess, parsedApart } from '../../ingest/parser/parser-process.ts'
import { ingest } from '../../ingest/run.ts'
import { DocumentError } from '../../ingest/source.ts'
import { openSources } from '../../ingest/sources/index.ts'
import { JournalError } from '../../journal/journal.ts'
import { parsed } from '../arguments.ts'
import { type Command, print, UsageError } from '../command.ts'
import { failureText, reportText, tallyText } from '../ingest-report.ts'
import { openJournal } from '../parts.ts'

export const command: Command = {
  summary: 'Reads official figures or prices from a publisher or from files',
  usage: `${program} ingest SOURCE [--dataset NAME]… [FILE|DIRECTORY…]

Without files the publisher is asked. What is on record already is recognised, so the same input may come any number of
times; what can't be accepted goes into quarantine with the reason and its bytes (\`${program} replay quarantine\`).
A document is parsed in a process of its own with limits on time, memory and size; one that exceeds them goes into
quarantine, and the next is read. A directory stands for the files in it.
Exit code 0: everything was accepted. 3: some documents or rows were rejected, the rest is on record. 2: wrong arguments.
1: a fault of Almanac's own, no parser can be started, or the journal can't be written.
\`${program} ingest file FILE…\` reads Almanac's own format (docs/series-file.md).

Sources and their datasets
${Object.entries(openSources())
  .flatMap(([name, { publisher, datasets }]) => [
    `  ${name.padEnd(12)} ${publisher}`,
    ...Object.entries(datasets).map(([d, t]) => `    ${d}: ${t}`),
  ])
  .join('\n')}`,
  async run(args, config) {
    const { values, positionals } = parsed(args, { dataset: { type: 'string', multiple: true } })
    const [name = '', ...paths] = positionals
    const parser = new ParserProcess()
    const sources = parsedApart(openSources(config), parser)
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined
    if (!source) throw new UsageError(`no source ${JSON.stringify(name)}; there are ${Object.keys(sources).join(', ')}`)
    const files = await filesOf(paths)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort(new UsageError('interrupted; run it again to go on')))
    const journal = await openJournal(config)
    const outcome = { isRefused: false, isFailed: false }
    try {
      const acceptor = new Acceptor(journal)
      const total = emptyTally()
      for (const only of requestsFor(files, values.dataset)) {
        const request = { ...only, signal: stop.signal, now: () => new Date() }
        try {
          const tally = await ingest(source, request, acceptor, (report) => {
            if (report.outcome === 'quarantined') outcome.isRefused = true
            print(reportText(report, only.files?.[0]))
          })
          for (const what of Object.keys(total) as (keyof typeof total)[]) total[what] += tally[what]
        } catch (error) {
          // Nothing more can be put on record, or the user wants no more.
          if (error instanceof JournalError || stop.signal.aborted) throw error
          if (error instanceof DocumentError) outcome.isRefused = true
          else outcome.isFailed = true
          print(failureText(only, error))
        }
      }
      print(`in all: ${tallyText(total)}`)
      if (total.rejected > 0) {
        outcome.isRefused = true
        print(`what was rejected is in quarantine: \`${program} replay quarantine\``)
      }
    } finally {
      parser.close()
      await journal.close()
    }
    return outcome.isFailed ? 1 : outcome.isRefused ? 3 : 0
  },
}

/** Files of a directory by name, without hidden ones. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files = paths.map(async (path) => {
    const isDirectory = await stat(path).then(
      (found) => found.isDirectory(),
      // Not there, or an address: reading it says what is wrong.
      () => false,
    )
    if (!isDirectory) return [path]
    const entries = await readdir(path, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
    if (names.length === 0) throw new UsageError(`${path} has no files`)
    return names.sort().map((name) => join(path, name))
  })
  return (await Promise.all(files)).flat()
}

type Only = { readonly files?: readonly string[]; readonly datasets?: readonly string[] }

/** A file or a dataset at a time, so that one that can't be had doesn't stop the next. */
function requestsFor(files: readonly string[], datasets: readonly string[] | undefined): Only[] {
  if (files.length > 0) return files.map((path) => ({ files: [path], ...(datasets ? { datasets } : {}) }))
  return datasets ? datasets.map((dataset) => ({ datasets: [dataset] })) : [{}]
}
