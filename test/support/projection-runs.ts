import type { ChildProcess } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { type JournalRecord, TypedJournal } from '../../journal/typed.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { append, inNewDatabase, rows } from '../projections/support/world.ts'
import { runCommand } from './command.ts'
import { temporaryDirectory } from './journal.ts'
import { releaseNumber } from './journal-records.ts'
import { almanac, type CommandResult } from './service.ts'

/** A release of US GDP, and for every third number one of a country that the example leaves out. */
export function gdpNumber(n: number): Release {
  const release = releaseNumber(n, 1)
  const country = n % 3 === 2 ? 'CAN' : 'USA'
  return { ...release, series: { ...release.series, indicator: 'gdp', country }, figures: { value: `${n}.5` } }
}

/** A deployment with a journal and a database of the store at `storeUrl`, on which `almanac project` runs. */
export async function openDeployment(storeUrl: string, database: string) {
  const directory = await temporaryDirectory()
  const dir = join(directory, 'journal')
  await mkdir(dir, { recursive: true })
  const journal = await TypedJournal.open(await openEmbeddedJournal({ dir }), localRegistry())
  await inNewDatabase(storeUrl, database)
  const client = openClickHouse({ url: storeUrl, database })
  onTestFinished(async () => {
    await journal.close()
    await client.close()
  })
  const env = {
    ALMANAC_KAFKA_BROKERS: '',
    ALMANAC_SCHEMA_REGISTRY_URL: '',
    ALMANAC_DATA_DIR: directory,
    ALMANAC_CLICKHOUSE_URL: `${storeUrl.replace(/\/$/, '')}/${database}`,
  }
  let written = 0
  return {
    directory,
    journal,
    client,
    env,
    /** Runs to its end, in this process: a file is loaded once, so a changed one needs `start`. */
    run: (args: readonly string[]) => runCommand(['project', ...args], env),
    /** Appends more releases. */
    async write(count: number): Promise<void> {
      await append(
        journal,
        'releases',
        Array.from({ length: count }, (_, i) => gdpNumber(written + i)),
      )
      written += count
    },
    /** Starts a process that goes on until it is killed or ended. */
    start(args: readonly string[]): ProjectionRun {
      let child: ChildProcess | undefined
      let output = ''
      const ended = almanac(['project', ...args], env, (started) => {
        child = started
        started.stdout?.on('data', (chunk) => (output += chunk))
      })
      const end = (signal: NodeJS.Signals) => {
        child?.kill(signal)
        return ended
      }
      onTestFinished(() => end('SIGKILL').then(() => undefined))
      return { output: () => output, end, ended }
    },
    async file(name: string, text: string): Promise<string> {
      const path = join(directory, name)
      await writeFile(path, text)
      return path
    },
    /** The rows of a projection's table, as readers see it. */
    table: <R>(name: string, columns: string) =>
      rows<R>(client, `SELECT ${columns} FROM user_${name} FINAL WHERE NOT _marker ORDER BY _offset, _index`),
    async records(): Promise<JournalRecord<'releases'>[]> {
      const { start, end } = await journal.bounds('releases', 0)
      const found: JournalRecord<'releases'>[] = []
      for (let at = start; at < end; ) {
        const batch = await journal.read('releases', 0, at)
        found.push(...batch.records)
        at = batch.next
      }
      return found
    },
  }
}

export type ProjectionRun = {
  readonly output: () => string
  readonly ended: Promise<CommandResult>
  end(signal: NodeJS.Signals): Promise<CommandResult>
}
