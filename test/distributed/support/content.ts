import { topics } from '../../../contracts/topics.ts'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import { ingest } from '../../../ingest/run.ts'
import { datasetOfJob } from '../../../ingest/schedule/timetable.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { openEmbeddedTestJournal } from '../../support/embedded-journal.ts'
import { valuesOf } from '../../support/journal.ts'

export type Content = { readonly releases: string[]; readonly ticks: string[]; readonly quarantine: string[] }

/** The content that a journal has from documents, a line each, sorted; without how and when they were read. */
export async function contentOf(journal: TypedJournal): Promise<Content> {
  const releases = await valuesOf(journal, 'releases')
  const partitions = Array.from({ length: topics.ticks.partitions }, (_, partition) => partition)
  const ticks = (await Promise.all(partitions.map((partition) => valuesOf(journal, 'ticks', partition)))).flat()
  const quarantine = await valuesOf(journal, 'quarantine')
  return {
    releases: lines(releases, ({ series, period, figures, revises }) => [series.id, period, figures, revises]),
    ticks: lines(ticks, ({ symbol, price, observed_at }) => [symbol, price, observed_at]),
    quarantine: lines(quarantine, ({ dataset, reason, detail }) => [dataset, reason, detail]),
  }
}

const lines = <T>(values: readonly T[], told: (value: T) => unknown[]): string[] =>
  values.map((value) => JSON.stringify(told(value))).sort()

/** The content of a journal into which each job's document, a local file, was read once. */
export async function contentOfFiles(files: Readonly<Record<string, string>>): Promise<Content> {
  const { journal } = await openEmbeddedTestJournal()
  const acceptor = new Acceptor(journal)
  const sources = await openSources()
  for (const [job, file] of Object.entries(files)) {
    const { source, dataset } = datasetOfJob(job)
    const opened = sources[source]
    if (!opened) throw new Error(`there is no source ${source}`)
    await ingest(opened, { datasets: [dataset], files: [file], now: () => new Date() }, acceptor)
  }
  return contentOf(journal)
}
