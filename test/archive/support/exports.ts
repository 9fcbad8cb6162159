import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DirectoryStore } from '../../../archive/directory.ts'
import type { ExportManifest } from '../../../archive/export/manifest.ts'
import type { ExportQuestion } from '../../../archive/export/question.ts'
import { type ExportOptions, runExport } from '../../../archive/export/run.ts'
import { newManifest } from '../../../cli/export-range.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { temporaryDirectory } from '../../support/journal.ts'

export const questionOf = (over: Partial<ExportQuestion>): ExportQuestion => ({
  topics: ['ticks'],
  partition: null,
  from: null,
  to: null,
  filters: {},
  format: 'ndjson',
  ...over,
})

/** Files small enough that a few records make several. */
export const SMALL_FILES = { records: 7, valueBytes: 10_000 }

/** Exports to a directory of the test's own. */
export async function exported(
  journal: TypedJournal,
  question: ExportQuestion,
  options: Partial<ExportOptions> = {},
): Promise<{ directory: string; manifest: ExportManifest }> {
  const directory = await temporaryDirectory()
  const store = new DirectoryStore(directory)
  const signal = new AbortController().signal
  const manifest = await runExport(await newManifest(journal, question), {
    journal,
    store,
    signal,
    limits: SMALL_FILES,
    ...options,
  })
  return { directory, manifest }
}

/** The bytes of an export: its files by name, and its manifest. */
export async function bytesOf(directory: string, manifest: ExportManifest): Promise<Record<string, string>> {
  const names = ['manifest.json', ...manifest.partitions.flatMap(({ files }) => files.map(({ name }) => name))]
  const files = names.map(async (name) => [name, (await readFile(join(directory, name))).toString('base64')] as const)
  return Object.fromEntries(await Promise.all(files))
}
