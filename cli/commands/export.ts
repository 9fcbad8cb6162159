import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DirectoryStore, UNFINISHED_FOLDER } from '../../archive/directory.ts'
import { type ExportManifest, MANIFEST_FILE, readManifest, writeManifest } from '../../archive/export/manifest.ts'
import { type ExportQuestion, exportFormats, filterNames, filtersFor } from '../../archive/export/question.ts'
import { ExportError, type ExportProgress, runExport } from '../../archive/export/run.ts'
import { verifyExport } from '../../archive/export/verify.ts'
import { errorCode } from '../../base/errors.ts'
import { program } from '../../contracts/program.ts'
import { topicNames } from '../../contracts/topics.ts'
import { Lineage } from '../../domain/lineage.ts'
import type { Config } from '../../infra/config.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { tellingArchiveFaults } from '../archives.ts'
import { parsed } from '../arguments.ts'
import { type Command, complain, interruptSignal, print, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import { DAMAGED } from '../diagnosis.ts'
import { exportQuestion } from '../export-question.ts'
import { newManifest, placeOfEnd } from '../export-range.ts'
import { openJournal } from '../parts.ts'

const filterLines = topicNames
  .map(
    (topic) =>
      `  ${topic.padEnd(12)} ${
        filtersFor(topic)
          .map((name) => `--${name}`)
          .join(' ') || 'none'
      }`,
  )
  .join('\n')

export const command: Command = {
  usage: `${program} export TOPIC… --format ${exportFormats.join('|')} --out DIR [--partition N]
    [--from OFFSET|TIME|CURSOR] [--to OFFSET|TIME|CURSOR] [FILTER…]
${program} export verify DIR

Writes the records of each partition to files of up to 100,000 records, TOPIC/PARTITION/FROM-TO.FORMAT, and describes them in
DIR/${MANIFEST_FILE}: the question, the SHA-256, offsets and record count of each file, and where to go on. The service may run
meanwhile. If the command is killed, run it again with the same arguments: it goes on after the last file that it finished.

--from is inclusive (default: the log start), --to is exclusive (default: the end when the export begins). Each takes an
offset, a time such as 2026-11-01T08:00:00Z or 2026-11-01, which means in each partition the first record at or after it, or
for events a cursor. The same range gives the same bytes while its records are kept.

A filter is given as --country USA, several times for several values. A record must match every filter. Filters by topic:
${filterLines}

verify compares the files with the manifest. Exit code 4 if one is damaged, missing or left over.`,
  run: (args, config) =>
    tellingArchiveFaults(() => (args[0] === 'verify' ? verify(args.slice(1)) : exportTo(args, config))),
}

async function exportTo(args: readonly string[], config: Config): Promise<number> {
  const { values, positionals } = parsed(args, {
    partition: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    format: { type: 'string' },
    out: { type: 'string' },
    ...filterOptions,
  })
  const question = exportQuestion(positionals, values)
  if (!values.out) throw new UsageError('--out is missing: name a directory for the files')
  const interrupted = interruptSignal()
  const journal = await openJournal(config)
  const store = new DirectoryStore(values.out)
  try {
    const begun = await begin(journal, store, question)
    const isDone = begun.complete
    const manifest = await runExport(begun, { journal, store, signal: interrupted, onProgress: progressLog() })
    await rmdir(join(values.out, UNFINISHED_FOLDER)).catch(() => undefined)
    print(summaryOf(manifest, values.out, isDone))
    return 0
  } catch (error) {
    throw error instanceof ExportError ? new UsageError(error.message, { cause: error }) : error
  } finally {
    await journal.close()
  }
}

// Cast: `fromEntries` forgets the names.
const filterOptions = Object.fromEntries(filterNames.map((name) => [name, { type: 'string', multiple: true }])) as {
  readonly [Name in (typeof filterNames)[number]]: { readonly type: 'string'; readonly multiple: true }
}

/** Continues the export in a directory, or begins one in an empty directory. Throws UsageError if another export is there. */
async function begin(journal: TypedJournal, store: DirectoryStore, question: ExportQuestion): Promise<ExportManifest> {
  const names = await namesIn(store.address)
  const found = await readManifest(store)
  if (found) {
    const fault = new Lineage(journal).faultOf(found.journal, ...found.partitions.map(placeOfEnd))
    if (fault === 'superseded')
      throw new UsageError(
        `${store.address} holds an export of another history of this journal, before or after a restore: name another directory`,
      )
    if (fault)
      throw new UsageError(`${store.address} holds an export of journal ${found.journal}, and this is ${journal.id}`)
    const [asked, before] = [JSON.stringify(question), JSON.stringify(found.question)]
    if (asked !== before)
      throw new UsageError(
        `${store.address} holds another export, of ${before}: use its arguments, or another directory`,
      )
    return found
  }
  if (names.some((name) => name !== UNFINISHED_FOLDER))
    throw new UsageError(`${store.address} is not empty, and holds no export: name another directory`)
  const manifest = await newManifest(journal, question)
  await writeManifest(store, manifest)
  return manifest
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    if (errorCode(error) === 'ENOTDIR') throw new UsageError(`--out ${directory} is no directory`)
    throw error
  }
}

const PROGRESS_MS = 1_000

/** Returns a function that writes progress to standard error, at most once a second. */
function progressLog(): (progress: ExportProgress) => void {
  let last = Date.now()
  return ({ topic, partition, from, to, at, records }) => {
    if (Date.now() - last < PROGRESS_MS) return
    last = Date.now()
    const percent = Math.floor((100 * (at - from)) / (to - from))
    process.stderr.write(
      `${topic}/${partition}: ${percent} % of offsets ${from} to ${to}; ${counted(records, 'record')} so far\n`,
    )
  }
}

function summaryOf({ partitions, next_event, question }: ExportManifest, directory: string, isDone: boolean): string {
  const records = partitions.reduce((sum, partition) => sum + partition.records, 0)
  const files = partitions.reduce((sum, partition) => sum + partition.files.length, 0)
  const summary = `${directory} ${isDone ? 'already holds' : 'holds'} ${counted(records, 'record')} in ${counted(files, `${question.format} file`)}`
  const next = partitions.map(({ topic, partition, to }) => `  ${topic}/${partition}: offset ${to}`)
  return [
    `${summary}. To go on, begin at:`,
    ...next,
    ...(next_event ? [`  next event: cursor ${next_event}`] : []),
  ].join('\n')
}

async function verify(args: readonly string[]): Promise<number> {
  const [directory] = parsed(args, {}, 1).positionals
  if (directory === undefined) throw new UsageError(`name the directory of an export: \`${program} export verify DIR\``)
  const store = new DirectoryStore(directory)
  const manifest = await readManifest(store)
  if (!manifest) throw new UsageError(`${directory} has no ${MANIFEST_FILE}, so it holds no export`)
  const faults: string[] = []
  await verifyExport(store, manifest, ({ message }) => faults.push(message))
  for (const fault of faults) complain(fault)
  if (faults.length > 0) return DAMAGED
  const files = manifest.partitions.reduce((sum, partition) => sum + partition.files.length, 0)
  const state = manifest.complete ? 'complete' : 'unfinished: run the export again to continue'
  print(`${directory}: ${counted(files, 'file')} checked, no damage found; the export is ${state}`)
  return 0
}
