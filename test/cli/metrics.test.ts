import { describe, expect, it, onTestFinished } from 'vitest'
import { buildAdmin } from '../../api/admin/build-admin.ts'
import { measureIngest, measureJournal, measureProjections, newRegistry } from '../../cli/processes/metrics.ts'
import { views } from '../../projections/views/index.ts'

type Bounds = Awaited<ReturnType<Parameters<typeof measureJournal>[0]['bounds']>>

describe('/metrics', () => {
  it('answers before Prometheus gives up while neither journal nor read models do', async () => {
    const registry = newRegistry()
    let answering = true
    const answer = <T>(value: T) => (answering ? Promise.resolve(value) : new Promise<T>(() => undefined))
    measureJournal({ bounds: () => answer<Bounds>({ start: 0, end: 7 }) }, registry)
    const progress = () => answer({ lag: 3, running: true, watermarks: new Map<number, number>() })
    measureProjections(
      views.map(({ name }) => ({ name, progress })),
      registry,
    )
    measureIngest(registry)('TEST', { new: 2 })
    const app = await buildAdmin({
      metrics: registry,
      ready: () => true,
      token: '',
      host: '127.0.0.1',
      clock: Date.now,
    })
    onTestFinished(() => app.close())
    const scrape = async () => (await app.inject({ url: '/metrics', headers: { host: 'localhost' } })).body
    const well = await scrape()
    expect(well).toContain('almanac_journal_end_offset{topic="releases",partition="0"} 7')
    expect(well).toContain(`almanac_projection_lag_offsets{view="${views[0]?.name}"} 3`)
    answering = false
    const begun = performance.now()
    const text = await scrape()
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(text).toContain('almanac_ingest_items_total{source="TEST",outcome="new"} 2')
    // Nothing is said of what nobody knows.
    expect(text).not.toMatch(/^almanac_(journal_end_offset|projection_lag_offsets)\{/m)
  })
})
