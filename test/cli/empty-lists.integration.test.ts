import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Archive } from '../../archive/archive.ts'
import { DirectoryStore } from '../../archive/directory.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'

const EMBEDDED = { ALMANAC_KAFKA_BROKERS: '', ALMANAC_SCHEMA_REGISTRY_URL: '', ALMANAC_REDIS_URL: '' }

/** What each command says of a new journal. A command with --json, and one that prints NDJSON, prints no sentence. */
const said: Readonly<Record<string, { readonly stdout: string | RegExp; readonly stderr?: string }>> = {
  'keys list': { stdout: /^there are no keys: .*keys create.*\n$/ },
  'keys list --json': { stdout: '[]\n' },
  'quarantine list': { stdout: /^No rejected inputs\. .*ingest.*\n$/ },
  'quarantine list --held': { stdout: /^Nothing is held for review\. Implausible .*\n$/ },
  'quarantine list --source fred': { stdout: /^no rejected input matches: .*without --source.*\n$/ },
  'quarantine list --held --since 2026-01-01': { stdout: /^no held input matches: .*without --since.*\n$/ },
  'quarantine list --json': { stdout: '' },
  'quarantine retry --source fred': { stdout: /^no rejected input matches: .*\n$/ },
  'calendar list': { stdout: /^no release is cancelled or was never published: .*calendar cancel.*\n$/ },
  'calendar list --json': { stdout: '' },
  'calendar dates': { stdout: /^no publisher’s calendar is on record: .*calendar read.*bls.*\n$/ },
  'calendar dates --json': { stdout: '' },
  'replay quarantine': { stdout: '', stderr: 'almanac: no record of quarantine is in this range\n' },
}

describe('a list without entries', () => {
  it('is said to be one, with what would fill it, and stays readable for programs', async () => {
    const { directory } = await openEmbeddedTestJournal()
    for (const [line, { stdout, stderr = '' }] of Object.entries(said)) {
      const ended = await runCommand(line.split(' '), { ...EMBEDDED, ALMANAC_DATA_DIR: directory })
      const expected = typeof stdout === 'string' ? stdout : expect.stringMatching(stdout)
      expect(ended, line).toMatchObject({ code: 0, stdout: expected, stderr })
    }
  })

  it('is refused with an option of another action', async () => {
    const { directory } = await openEmbeddedTestJournal()
    for (const [line, option] of [
      ['quarantine list --raw', 'raw'],
      ['quarantine show 0f0712345 --json', 'json'],
      ['quarantine retry 0f0712345 --since 2026-01-01', 'since'],
      ['quarantine approve 0f0712345 --because x --source fred', 'source'],
    ] as const) {
      const { code, stderr } = await runCommand(line.split(' '), { ...EMBEDDED, ALMANAC_DATA_DIR: directory })
      expect([code, stderr], line).toEqual([2, expect.stringContaining(`--${option} is not an option of`)])
    }
  })

  it('has no id shorter than the shortest that stands for one, and says how long that is', async () => {
    const { directory } = await openEmbeddedTestJournal()
    const ended = await runCommand(['quarantine', 'show', '0f07'], { ...EMBEDDED, ALMANAC_DATA_DIR: directory })
    const stderr = 'almanac: "0f07" is too short: write at least the first 8 characters of the id\n'
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(stderr.trim()) })
  })

  it('of an archive names what writes to it', async () => {
    const place = join(await temporaryDirectory(), 'archive')
    await Archive.openFor(new DirectoryStore(place), { id: 'journal-of-the-tests', generations: [] }, Date.now())
    const { code, stdout } = await runCommand(['archive', 'status', place], EMBEDDED)
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        expect.stringMatching(/^archive of journal journal-of-the-tests in /),
        expect.stringMatching(/^nothing is archived yet: .*role archive/),
        '',
      ],
    ])
  })
})
