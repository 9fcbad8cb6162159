import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemTime } from '../../base/time.ts'
import { program } from '../../contracts/program.ts'
import { isDate, latestDay } from '../../domain/day.ts'
import { Lineage } from '../../domain/lineage.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { RecordedCheckpoint } from '../../ingest/accept/recorded-checkpoint.ts'
import { addTally, emptyTally } from '../../ingest/accept/tally.ts'
import { AskLater } from '../../ingest/fetch/http.ts'
import { ingestRemembered } from '../../ingest/ingest-remembered.ts'
import { ParserProcess, parsedBy } from '../../ingest/parser/parser-process.ts'
import { structureChangeText } from '../../ingest/read/format-changes.ts'
import { removedSource } from '../../ingest/removed.ts'
import { type DocumentReport, ingest, tallyText } from '../../ingest/run.ts'
import { DocumentError } from '../../ingest/source.ts'
import { openSource, openSources, sourceNames } from '../../ingest/sources/index.ts'
import { JournalError } from '../../journal/journal.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { parsed } from '../arguments.ts'
import { type Command, interruptSignal, print, UsageError } from '../command.ts'
import { addReasons, failureText, readProgress, reasonsText, reportText, withoutControls } from '../ingest-report.ts'
import { checkpointDirectory, openJournal, publisherMemory } from '../parts.ts'

export const command: Command = {
  usage: `${program} ingest SOURCE [--dataset NAME]… [--if-changed | --vintages] [--last-updated DATE] [--allow-rejected] [FILE|DIRECTORY…]

Reads files, or downloads from the publisher if no file is given. A directory stands for the files in it, and a link for the
file that it leads to. With --if-changed the publisher is asked only for what is newer than the answer last read, as the
schedule does. Figures that are on record already are recognised, so the same input may be read any number of times.

With --vintages FRED is asked for every figure that a series ever had, with the day on which each was released. This needs
ALMANAC_FRED_API_KEY. Once is enough: afterwards each download adds what has been revised.

Most documents say when their figures were released. For files that do not, --last-updated says on which day the publisher last
updated them. Without it their figures count as released today, and those of an older file that differ from the record are held
if the record goes on after the file's end.

Rows that cannot be accepted go into quarantine with the reason and their bytes, up to 10,000 rows a document
(\`${program} quarantine list\`). The output names the first 1,000 of a document with place and reason, and at the end counts
all by reason. Figures and prices that contradict what is on record, such as tenfold ones, are held there until you approve them
(\`${program} quarantine approve\`). Each document is parsed in a separate process with limits on time, memory and size. A
document that exceeds them goes into quarantine, and the next one is read.

Exit code 0: nothing was rejected or held. Prices that are older than the newest one on record are counted as older, and do not
change the exit code, even if a file has no others. 3: some documents or rows were rejected or held, or a document could not be fetched or
opened; the rest is on record. With --allow-rejected, what is rejected or held does not change the exit code. 2: wrong
arguments. 1: a fault in Almanac, no parser process could be started, or the journal could not be written.
\`${program} ingest file FILE…\` reads Almanac's own format (docs/series-file.md).`,
  async details() {
    const lines = Object.entries(await openSources()).flatMap(([name, { publisher, datasets }]) => [
      `  ${name.padEnd(12)} ${publisher}`,
      ...Object.entries(datasets).map(([dataset, title]) => `    ${dataset}: ${title}`),
    ])
    return `Sources and their datasets\n${lines.join('\n')}`
  },
  async run(args, config) {
    const { values, positionals } = parsed(args, {
      dataset: { type: 'string', multiple: true },
      'allow-rejected': { type: 'boolean' },
      'if-changed': { type: 'boolean' },
      'last-updated': { type: 'string' },
      vintages: { type: 'boolean' },
    })
    const [name = '', ...paths] = positionals
    const parser = new ParserProcess({ onRead: readProgress() })
    if (name === '') throw new UsageError(`name a source: ${sourceNames.join(', ')}`)
    const found = await openSource(name, { ...config, vintages: values.vintages === true })
    if (!found)
      throw new UsageError(
        removedSource(name) ?? `unknown source ${JSON.stringify(name)}; the sources are ${sourceNames.join(', ')}`,
      )
    const source = parsedBy(name, found, parser)
    const files = await filesOf(paths)
    if (files.length > 0 && (values.dataset?.length ?? 0) > 1)
      throw new UsageError('a file is of one dataset; name one with --dataset, or none if the file states it itself')
    if (values['if-changed'] && (files.length > 0 || !values.dataset))
      throw new UsageError('--if-changed is for datasets that are downloaded; name them with --dataset')
    if (values.vintages) assertVintages(name, { ...values, hasFiles: files.length > 0, key: config.fredApiKey })
    const lastUpdated = lastUpdatedOf(values['last-updated'], { name, hasFiles: files.length > 0 })
    const interrupted = interruptSignal()
    const journal = await openJournal(config)
    const outcome = { isRejected: false, isUnread: false, isFailed: false }
    try {
      const checkpoints = fileCheckpoints(checkpointDirectory(config), new Lineage(journal))
      const acceptor = new Acceptor(journal, systemTime, new RecordedCheckpoint(checkpoints, journal))
      const total = emptyTally()
      const reasons = new Map<string, number>()
      for (const only of requestsFor(files, values.dataset, source.downloadable)) {
        const request = { ...only, lastUpdated, signal: interrupted, now: () => new Date() }
        const onDocument = (report: DocumentReport) => {
          addReasons(reasons, report)
          addTally(total, report.tally)
          print(reportText(report, only.files?.[0]))
        }
        try {
          // What the publisher answered about today's figures says nothing of all their vintages.
          const [dataset] = only.files || values.vintages ? [] : values.dataset ? (only.datasets ?? []) : []
          if (dataset === undefined) await ingest(source, request, acceptor, onDocument)
          else
            await ingestRemembered(source, request, acceptor, {
              ...publisherMemory(config, journal),
              name,
              dataset,
              conditional: values['if-changed'] === true,
              onDocument,
              onUnchanged: (address) => print(`${dataset}  ${address}\n  not modified since it was last read`),
              onChange: (change) =>
                print(`${dataset}: the format has changed: ${withoutControls(structureChangeText(change))}`),
            })
        } catch (error) {
          // The journal cannot be written, or the user has interrupted the command.
          if (error instanceof JournalError || interrupted.aborted) throw error
          if (error instanceof DocumentError) outcome.isUnread = true
          else outcome.isFailed = true
          print(failureText(only, error))
          if (error instanceof AskLater) {
            print(`${found.publisher} wants to be asked later: no further dataset is asked for`)
            break
          }
        }
      }
      print(`total: ${tallyText(total)}`)
      if (total.older > 0)
        print(
          'older: earlier than the newest price of their source. Those that are not on record yet are not recorded, so read files of prices in the order of time',
        )
      if (total.outdated > 0)
        print(
          'outdated: other prices than those on record, which a later edition states. Of two documents of one day, which nothing orders, always the same one counts as the later',
        )
      if (total.rejected > 0) {
        outcome.isRejected = true
        print(reasonsText(reasons))
        print(`they are in quarantine: \`${program} quarantine list\``)
      }
      if (total.held > 0) {
        outcome.isRejected = true
        print(`implausible figures or prices wait for your review: \`${program} quarantine list --held\``)
      }
    } finally {
      parser.close()
      await journal.close()
    }
    return outcome.isFailed ? 1 : outcome.isUnread || (outcome.isRejected && !values['allow-rejected']) ? 3 : 0
  },
}

/** Throws UsageError unless all vintages can be asked for: of FRED, with a key, and of all that it has. */
function assertVintages(
  name: string,
  options: { readonly hasFiles: boolean; readonly 'if-changed'?: boolean | undefined; readonly key: string },
): void {
  if (name !== 'fred')
    throw new UsageError(`--vintages is for FRED: \`${program} ingest fred --dataset GDP --vintages\``)
  if (options.hasFiles)
    throw new UsageError('--vintages is for a download; leave it out, because a file has the vintages that it states')
  if (options['if-changed'])
    throw new UsageError('--vintages asks for everything that FRED has; leave out --if-changed')
  if (options.key === '')
    throw new UsageError(
      '--vintages needs a key of FRED. Get one at https://fredaccount.stlouisfed.org/apikeys, and set ALMANAC_FRED_API_KEY to it',
    )
}

/** Throws UsageError unless a day may be that of the last update of files. */
function lastUpdatedOf(
  day: string | undefined,
  { name, hasFiles }: { readonly name: string; readonly hasFiles: boolean },
): string | undefined {
  if (day === undefined) return undefined
  if (!isDate(day) || day > latestDay(new Date()))
    throw new UsageError(
      `--last-updated is ${JSON.stringify(day)}. Give a date that exists and is not in the future, such as 2026-11-25.`,
    )
  if (!hasFiles) throw new UsageError('--last-updated is for files; name them')
  if (name === 'file')
    throw new UsageError("a file in Almanac's own format says so itself: write `# last_updated: DATE` into its head")
  return day
}

/**
 * Replaces each directory by its files, sorted by name, without hidden ones. A link to a file is a file; one to a directory is
 * skipped, as directories in a directory are. A link to nothing stays, so that reading it reports what is wrong.
 */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files = paths.map(async (path) => {
    if ((await kindOf(path)) !== 'directory') return [path]
    const names = (await readdir(path)).filter((name) => !name.startsWith('.')).sort()
    const found = await Promise.all(names.map(async (name) => ({ name, kind: await kindOf(join(path, name)) })))
    const read = found.filter(({ kind }) => kind === 'file' || kind === 'absent').map(({ name }) => join(path, name))
    if (read.length === 0) throw new UsageError(`${path} has no files`)
    return read
  })
  return (await Promise.all(files)).flat()
}

/** What a path leads to, through links. `absent` if nothing is there, or the path is an address or may not be followed. */
const kindOf = (path: string): Promise<'file' | 'directory' | 'absent' | 'other'> =>
  stat(path).then(
    (found) => (found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other'),
    () => 'absent',
  )

type Only = { readonly files?: readonly string[]; readonly datasets?: readonly string[] }

/** Splits the input into single files or datasets, so that one that fails does not stop the next. */
function requestsFor(
  files: readonly string[],
  datasets: readonly string[] | undefined,
  downloadable: readonly string[],
): Only[] {
  if (files.length > 0) return files.map((path) => ({ files: [path], ...(datasets ? { datasets } : {}) }))
  const wanted = datasets ?? downloadable
  // A source without an address says itself what it needs.
  return wanted.length > 0 ? wanted.map((dataset) => ({ datasets: [dataset] })) : [{}]
}
