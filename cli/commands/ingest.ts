import { parseArgs } from 'node:util'
import { Acceptor } from '../../ingest/accept.ts'
import { ingest } from '../../ingest/run.ts'
import { DocumentError } from '../../ingest/source.ts'
import { openSources } from '../../ingest/sources/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { openJournal } from '../parts.ts'

export const command: Command = {
  summary: 'Reads official figures or prices from a publisher or from files',
  usage: `almanac ingest SOURCE [--dataset NAME]… [FILE…]

Without files the publisher is asked. What is on record already is recognised, so the same input may come any number of
times; what can't be accepted goes into quarantine with the reason and its bytes (\`almanac replay quarantine\`).
\`almanac ingest file FILE…\` reads Almanac's own format (docs/series-file.md).

Sources and their datasets
${Object.entries(openSources())
  .flatMap(([name, { publisher, datasets }]) => [
    `  ${name.padEnd(12)} ${publisher}`,
    ...Object.entries(datasets).map(([d, t]) => `    ${d}: ${t}`),
  ])
  .join('\n')}`,
  async run(args, config) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { dataset: { type: 'string', multiple: true } },
    })
    const [name = '', ...files] = positionals
    const sources = openSources(config)
    const source = sources[name]
    if (!source) throw new UsageError(`no source ${JSON.stringify(name)}; there are ${Object.keys(sources).join(', ')}`)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort(new UsageError('interrupted; run it again to go on')))
    const journal = await openJournal(config)
    let quarantined = 0
    try {
      const request = {
        ...(values.dataset ? { datasets: values.dataset } : {}),
        ...(files.length > 0 ? { files } : {}),
        signal: stop.signal,
        now: () => new Date(),
      }
      const total = await ingest(source, request, new Acceptor(journal), (report) => {
        const { dataset, url } = report.document
        if (report.outcome === 'accepted') print(`${dataset}  ${url}\n  ${told(report.tally)}`)
        else {
          quarantined++
          const { reason, location, message } = report.error
          print(`${dataset}  ${url}\n  quarantined: ${reason}${location ? ` at ${location}` : ''}: ${message}`)
        }
      })
      print(`in all: ${told(total)}`)
    } catch (error) {
      if (error instanceof DocumentError) throw new UsageError(`${name}: ${error.reason}: ${error.message}`)
      throw error
    } finally {
      await journal.close()
    }
    return quarantined > 0 ? 3 : 0
  },
}

const told = (tally: object): string =>
  Object.entries(tally)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ') || 'nothing'
