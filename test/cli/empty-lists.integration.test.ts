import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Archive } from '../../archive/archive.ts'
import { DirectoryStore } from '../../archive/directory.ts'
import { openTestJournal, temporaryDirectory } from '../support/journal.ts'
import { almanac } from '../support/service.ts'

const EMBEDDED = { ALMANAC_KAFKA_BROKERS: '', ALMANAC_SCHEMA_REGISTRY_URL: '', ALMANAC_REDIS_URL: '' }

/** What each command says of a new journal. A command with --json, and one that prints NDJSON, prints no sentence. */
const said: Readonly<Record<string, { readonly stdout: string | RegExp; readonly stderr?: string }>> = {
  'keys list': { stdout: /^there are no keys: .*keys create.*\n$/ },
  'keys list --json': { stdout: '[]\n' },
  'quarantine list': { stdout: /^nothing was rejected: .*ingest.*\n$/ },
  'quarantine list --held': { stdout: /^nothing is held for review: .*implausible.*\n$/ },
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
  it('is said to be one, with what would fill it, and stays readable for programs', { timeout: 300_000 }, async () => {
    const { directory } = await openTestJournal()
    for (const [line, { stdout, stderr = '' }] of Object.entries(said)) {
      const ended = await almanac(line.split(' '), { ...EMBEDDED, ALMANAC_DATA_DIR: directory })
      const expected = typeof stdout === 'string' ? stdout : expect.stringMatching(stdout)
      expect(ended, line).toMatchObject({ code: 0, stdout: expected, stderr })
    }
  })

  it('of an archive names what writes to it', { timeout: 120_000 }, async () => {
    const place = join(await temporaryDirectory(), 'archive')
    await Archive.openFor(new DirectoryStore(place), 'journal-of-the-tests', Date.now())
    const { code, stdout } = await almanac(['archive', 'status', place], EMBEDDED)
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
