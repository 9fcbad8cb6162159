import { Acceptor, emptyTally } from '../../ingest/accept.ts'
import { ingest } from '../../ingest/run.ts'
import { DocumentError } from '../../ingest/source.ts'
import { openSources } from '../../ingest/sources/index.ts'
import { parsed } from '../arguments.ts'
import { type Command, print, UsageError } from '../command.ts'
import { openJournal } from '../parts.ts'

export const command: Command = {
  summary: 'Reads official figures or prices from a publisher or from files',
  usage: `almanac ingest SOURCE [--dataset NAME]… [FILE…]

Without files the publisher is asked. What is on record already is recognised, so the same input may come any number of
times; what can't be accepted goes into quarantine with the reason and its bytes (\`almanac replay quarantine\`).
Exit code 3 if a document was not read.
\`almanac ingest file FILE…\` reads Almanac's own format (docs/series-file.md).

Sources and their datasets
${Object.entries(openSources())
  .flatMap(([name, { publisher, datasets }]) => [
    `  ${name.padEnd(12)} ${publisher}`,
    ...Object.entries(datasets).map(([d, t]) => `    ${d}: ${t}`),
  ])
  .join('\n')}`,
  async run(args, config) {
    const { values, positionals } = parsed(args, { dataset: { type: 'string', multiple: true } })
    const [name = '', ...files] = positionals
    const sources = openSources(config)
    const source = sources[name]
    if (!source) throw new UsageError(`no source ${JSON.stringify(name)}; there are ${Object.keys(sources).join(', ')}`)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort(new UsageError('interrupted; run it again to go on')))
    const journal = await openJournal(config)
    let refused = 0
    try {
      const acceptor = new Acceptor(journal)
      const total = emptyTally()
      // A file at a time: one that can't even be opened must not stop the next.
      for (const only of files.length > 0 ? files.map((path) => ({ files: [path] })) : [{}]) {
        const request = {
          ...(values.dataset ? { datasets: values.dataset } : {}),
          ...only,
          signal: stop.signal,
          now: () => new Date(),
        }
        try {
          const tally = await ingest(source, request, acceptor, (report) => {
            const { dataset, url } = report.document
            if (report.outcome === 'accepted') print(`${dataset}  ${url}\n  ${told(report.tally)}`)
            else {
              refused++
              const { reason, location, message } = report.error
              print(`${dataset}  ${url}\n  quarantined: ${reason}${location ? ` at ${location}` : ''}: ${message}`)
            }
          })
          for (const outcome of Object.keys(total) as (keyof typeof total)[]) total[outcome] += tally[outcome]
        } catch (error) {
          if (!(error instanceof DocumentError)) throw error
          refused++
          print(`not read: ${error.reason}: ${error.message}`)
        }
      }
      print(`in all: ${told(total)}`)
    } finally {
      await journal.close()
    }
    return refused > 0 ? 3 : 0
  },
}

const told = (tally: object): string =>
  Object.entries(tally)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ') || 'nothing'
