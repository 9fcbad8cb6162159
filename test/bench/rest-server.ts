/** One server of the REST bench, in a process of its own: `api` (key checked, quota taken) or `bare` (a Fastify route). */

import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { openEmbeddedAccess } from '../../access/embedded/open.ts'
import { Gate } from '../../access/gate.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey } from '../../access/keys.ts'
import { buildApi } from '../../api/build-api.ts'
import { systemTime } from '../../base/time.ts'
import { plans } from '../../contracts/plans.ts'
import { Cpi } from '../../contracts/resources.ts'
import { StatementBoard } from '../../domain/calendar-statements.ts'
import { FetchBoard } from '../../domain/fetch-board.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import { PublishersIds } from '../../domain/publishers-ids.ts'
import { RecentReleases } from '../../domain/recent-releases.ts'
import { ReleaseDatesBoard } from '../../domain/release-dates.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { toResource } from '../../domain/resource.ts'
import { firstGeneration } from '../support/lineage.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

const release = accepted(candidate(testSeries(), '2025-11', { value: '325.4' }))
const unlimited = { ...plans.pro, callsPerMonth: 1_000_000_000, callsPerMinute: 1_000_000_000 }

async function api() {
  const figures = new FigureBoard()
  figures.apply(release)
  const keys = new KeyTable()
  const wanted = { kind: 'test', plan: 'pro', owner: 'bench', origins: [], expiresAt: null } as const
  const { key, record } = createKey(wanted, Date.now(), randomBytes)
  keys.apply(record)
  const access = await openEmbeddedAccess(mkdtempSync(join(tmpdir(), 'almanac-bench-access-')))
  const gate = new Gate({
    ...access,
    keys,
    plans: { free: unlimited, basic: unlimited, pro: unlimited },
    streamsOpen: () => 0,
    time: systemTime,
  })
  const unused = () => Promise.reject(new Error('not asked in this bench'))
  const app = await buildApi({
    figures,
    releaseIndex: new ReleaseIndex(),
    statements: new StatementBoard(),
    releaseDates: new ReleaseDatesBoard(),
    fetches: new FetchBoard(),
    publishersIds: new PublishersIds([]),
    prices: new PriceBoard(),
    quotes: new PriceBoard(),
    events: { page: unused, byId: unused, bounds: unused, recordedFrom: unused },
    held: { spans: unused },
    journal: { bounds: unused, newest: unused, offsetForTime: unused, read: unused },
    candles: { extents: unused, quoted: unused, crossed: unused, lastPrices: unused },
    ticks: { newest: unused, page: unused },
    vintages: { byIds: unused, idsOf: unused, successorOf: unused, watermark: unused },
    asOf: () => {
      throw new Error('not asked in this bench')
    },
    newestRelease: () => -1,
    newestRecords: { of: () => undefined },
    recentReleases: new RecentReleases(),
    history: {
      series: unused,
      seriesOfMany: unused,
      observations: unused,
      inForce: unused,
      vintages: unused,
      prints: unused,
      watermark: unused,
    },
    newestEvent: unused,
    journalReaches: () => true,
    gate,
    tickets: { issue: unused },
    apiBase: 'http://127.0.0.1',
    streamBase: 'ws://127.0.0.1:8081',
    lineage: firstGeneration('bench'),
    clock: () => new Date(),
    pricesUntil: () => new Date(),
    version: '0',
    health: () => ({ status: 'ok', version: '0', journal: 'ok', read_models: 'ok', access: 'ok', data_as_of: '' }),
    answering: () => true,
    ready: () => true,
  })
  return { app, key }
}

function bare() {
  const app = Fastify()
  const body = toResource(release)
  app.get('/v1/economics/:country/cpi', { schema: { response: { 200: Cpi } } }, () => body)
  return { app, key: 'none' }
}

const { app, key } = process.argv[2] === 'api' ? await api() : bare()
await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: (app.server.address() as AddressInfo).port, key })
process.on('disconnect', () => process.exit(0))
