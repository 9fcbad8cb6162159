import type { Command } from './command.ts'

/** A command: its line in the list of `almanac help`, and its module, which is loaded only to run or explain it. */
type LazyCommand = { readonly summary: string; readonly load: () => Promise<{ command: Command }> }

/** All commands by name, in the order of `almanac help`. */
export const commands: Readonly<Record<string, LazyCommand>> = {
  start: {
    summary: 'Runs the service',
    load: () => import('./commands/start.ts'),
  },
  keys: {
    summary: 'Creates, lists, rotates and revokes API keys',
    load: () => import('./commands/keys.ts'),
  },
  ingest: {
    summary: 'Reads official figures or prices from a publisher or from files',
    load: () => import('./commands/ingest.ts'),
  },
  quarantine: {
    summary: 'Lists and shows rejected and held inputs, reads them again, or approves them',
    load: () => import('./commands/quarantine.ts'),
  },
  calendar: {
    summary: "Says that a release is cancelled or was never published, and reads publishers' calendars",
    load: () => import('./commands/calendar.ts'),
  },
  replay: {
    summary: 'Prints the records of a topic as NDJSON, from any offset or time',
    load: () => import('./commands/replay.ts'),
  },
  export: {
    summary: 'Writes a slice of the journal to Parquet, Arrow, NDJSON, CSV or Avro files',
    load: () => import('./commands/export.ts'),
  },
  rebuild: {
    summary: 'Rebuilds the read models from the journal',
    load: () => import('./commands/rebuild.ts'),
  },
  verify: {
    summary: 'Compares the read models with the journal, row for row',
    load: () => import('./commands/verify.ts'),
  },
  project: {
    summary: 'Fills a table of your own from the journal, by a function in a file',
    load: () => import('./commands/project.ts'),
  },
  journal: {
    summary: 'Creates or checks a journal, or moves the embedded one to Kafka',
    load: () => import('./commands/journal.ts'),
  },
  archive: {
    summary: 'Checks the archive of the journal, or lists what it holds',
    load: () => import('./commands/archive.ts'),
  },
  backup: {
    summary: 'Backs the journal up into a directory while the service runs',
    load: () => import('./commands/backup.ts'),
  },
  restore: {
    summary: 'Restores a backup into an empty journal, embedded or on Kafka',
    load: () => import('./commands/restore.ts'),
  },
  import: {
    summary: 'The same as restore',
    load: () => import('./commands/restore.ts'),
  },
  doctor: {
    summary: 'Checks the deployment and says how to mend what is wrong',
    load: () => import('./commands/doctor.ts'),
  },
  schedule: {
    summary: 'Lists when each dataset is requested',
    load: () => import('./commands/schedule.ts'),
  },
  schemas: {
    summary: 'Releases changed Avro schemas as new versions',
    load: () => import('./commands/schemas.ts'),
  },
}
