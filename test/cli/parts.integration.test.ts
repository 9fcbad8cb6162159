import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAccess, openOrCreateJournal, publisherMemory, redisAddress } from '../../cli/parts.ts'
import { documentReporter } from '../../cli/processes/ingest.ts'
import { newRegistry } from '../../cli/processes/metrics.ts'
import { measureIngest } from '../../cli/processes/pipeline-metrics.ts'
import { ConfigError, loadConfig } from '../../infra/config.ts'
import { startRedis } from '../../infra/services/redis.ts'
import { emptyTally } from '../../ingest/accept/tally.ts'
import { DocumentError, documentOf } from '../../ingest/source.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { eventNumber } from '../support/journal-records.ts'
import { serviceIsThere } from '../support/services.ts'

const origin = { source: 'TEST', dataset: 'a', publisher: 'TEST', licence: 'None', retrievedAt: '2026-01-01T00:00:00Z' }
const document = documentOf(Buffer.from('none'), { ...origin, url: 'https://example.org/a' })

describe('what is told of scheduled documents', () => {
  it('is counted by source, and what went to quarantine is counted and logged', async () => {
    const registry = newRegistry()
    const logged: unknown[] = []
    const log = (...all: unknown[]) => void logged.push(all)
    const tell = documentReporter(measureIngest(registry), { error: log, warn: log })
    tell('TEST/a', {
      document,
      outcome: 'accepted',
      tally: { ...emptyTally(), new: 2 },
      faults: [],
      reasons: new Map(),
    })
    tell('TEST/b', {
      document,
      outcome: 'accepted',
      tally: { ...emptyTally(), new: 1 },
      faults: [],
      reasons: new Map(),
    })
    expect(logged).toEqual([])
    const error = new DocumentError('unreadable', 'no XML')
    const quarantined = { outcome: 'quarantined', error, faults: [], reasons: new Map([['unreadable', 1]]) } as const
    tell('TEST/a', { document, ...quarantined, tally: { ...emptyTally(), rejected: 1 } })
    const text = await registry.metrics()
    expect(text).toContain('almanac_ingest_items_total{source="TEST",outcome="new"} 3')
    expect(text).toContain('almanac_ingest_items_total{source="TEST",outcome="rejected"} 1')
    expect(text).not.toContain('TEST/')
    expect(logged).toEqual([[{ job: 'TEST/a', document: document.url, err: error }, expect.any(String)]])
    const faults = [{ reason: 'bad_period', detail: 'no month', location: 'line 3' }]
    const reasons = new Map([['bad_period', 7]])
    tell('TEST/a', {
      document,
      outcome: 'accepted',
      tally: { ...emptyTally(), new: 2, rejected: 7 },
      faults,
      reasons,
    })
    expect(logged[1]).toEqual([
      {
        job: 'TEST/a',
        document: document.url,
        rejected: 7,
        reasons: { bad_period: 7 },
        first: ['bad_period at line 3'],
      },
      expect.any(String),
    ])
  })
})

describe('a Redis address that cannot be read', () => {
  it('is a fault of the configuration, which no restart mends, and is not shown', () => {
    expect(redisAddress({ redisUrl: '' })).toBeUndefined()
    expect(redisAddress({ redisUrl: 'redis://127.0.0.1' })).toMatchObject({ kind: 'single' })
    const read = () => redisAddress({ redisUrl: 'redis://user:s3cret/more@redis' })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(/^ALMANAC_REDIS_URL: (?!.*s3cret)/)
  })
})

describe('the journal of a configuration', () => {
  it('keeps events as long as the setting says, also one that was made under another', async () => {
    const ALMANAC_DATA_DIR = await temporaryDirectory()
    const now = Date.now()
    const opened = async (days: string) => {
      const journal = await openOrCreateJournal(loadConfig({ ALMANAC_DATA_DIR, ALMANAC_EVENTS_RETENTION_DAYS: days }))
      onTestFinished(() => journal.close())
      return journal
    }
    const first = await opened('')
    const drafts = [2, 1, 0].map((days) => ({
      value: eventNumber(2 - days),
      id: `e${days}`,
      at: now - days * 86_400_000,
    }))
    await first.append('events', 0, drafts)
    await first.retain(now)
    expect((await first.bounds('events', 0)).start).toBe(0)
    await first.close()

    const second = await opened('1.5')
    expect(second.retentionMs('events')).toBe(129_600_000)
    expect(second.retentionMs('ticks')).toBe(30 * 86_400_000)
    await second.retain(now)
    expect((await second.bounds('events', 0)).start).toBe(1)
    await second.close()
    const third = await opened('')
    await third.retain(now + 10 * 86_400_000)
    expect((await third.bounds('events', 0)).start).toBe(1)
  })
})

describe.skipIf(!serviceIsThere('redis'))('a Redis that can’t be used as it is set', () => {
  it('that may forget is a fault of the configuration, which no restart mends', async () => {
    const redis = await startRedis({ dir: await temporaryDirectory(), args: ['--appendonly', 'no'] })
    onTestFinished(() => redis.stop())
    const opened = openAccess(loadConfig({ ALMANAC_REDIS_URL: redis.url }), () => undefined)
    await expect(opened).rejects.toThrow(ConfigError)
    await expect(opened).rejects.toThrow('appendonly=no')
  })

  it('where a right is missing is one, too, which names it', async () => {
    const redis = await startRedis({ dir: await temporaryDirectory() })
    onTestFinished(() => redis.stop())
    const admin = new Redis(redis.url)
    await admin.acl('SETUSER', 'almanac', 'on', '>TEST', '~*', '+@all', '-info').finally(() => admin.disconnect())
    const url = redis.url.replace('://', '://almanac:TEST@')
    const opened = openAccess(loadConfig({ ALMANAC_REDIS_URL: url }), () => undefined)
    await expect(opened).rejects.toThrow(ConfigError)
    await expect(opened).rejects.toThrow(/NOPERM.*'info'/)
  })
})

it('does not believe answers that were read before a restore, which may have lost what came of them', async () => {
  const config = loadConfig({ ALMANAC_DATA_DIR: await temporaryDirectory() })
  const restored = (id: string) => [{ id, branch: { event: 1, ends: {} } }]
  const readBy = [[], restored('a'), restored('b'), [...restored('a'), ...restored('c')]].map(
    (generations) => publisherMemory(config, { id: 'journal-1', generations }).readBy,
  )
  expect(new Set(readBy).size).toBe(readBy.length)
})
