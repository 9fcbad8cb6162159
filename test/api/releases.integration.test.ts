import { describe, expect, it } from 'vitest'
import type { VintageList } from '../../contracts/histories.ts'
import { type ReleaseDetail, releaseIdIn } from '../../contracts/release-detail.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { eventIdOf, eventOfRelease } from '../../domain/release-event.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { events } from '../../projections/views/events/project.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { append, project, useWorlds } from '../projections/support/world.ts'
import { accepted, candidate, flowSeries, testProvenance as provenance, testSeries } from '../support/releases.ts'
import { AT_LATER, world as apiWorld, ask } from './support.ts'

const world = useWorlds()

describe('releases of a real journal and ClickHouse', () => {
  it('are found by their ids, current and revised ones, and those that are not public are not', async () => {
    const { journal, client } = await world()
    const index = testSeries()
    const approval = { held_for: 'held_jump', because: 'the office confirmed it', input_id: 'c'.repeat(64) }
    const first = accepted(candidate(index, '2025-11', { value: '325.40' }, { provenance, approval }))
    const second = accepted(candidate(index, '2025-11', { value: '325.5' }, { provenance, approval }), first, AT_LATER)
    const rates = testSeries({ indicator: 'inflation', unit: 'percent', derivation: 'inflation_from_cpi' })
    const figures = { year_over_year: '2.7', month_over_month: '0.1', year_to_date: '2.6' }
    const derived = { ...accepted(candidate(rates, '2025-11', figures)), inputs: [first.release_id] }
    const exports = flowSeries('trade-exports', { country: 'CHN' })
    const hidden = accepted(candidate(exports, '2025-11', { value: '7' }))
    const hiddenToo = accepted(candidate(exports, '2025-11', { value: '8' }), hidden)
    await append(journal, 'releases', [first, derived, hidden, second, hiddenToo])
    const board = new FigureBoard()
    const made = [first, second].flatMap((release, i) => eventOfRelease(board, release, i + 1) ?? [])
    await append(journal, 'events', made)
    await project(vintages, { journal, client })
    await project(events, { journal, client })

    // The records as the journal gives them back, which are not plain objects.
    const [releaseIndex, figuresOnRecord] = [new ReleaseIndex(), new FigureBoard()]
    let newest = -1
    for await (const { records } of journal.readToEnd('releases', 0)) {
      for (const { value, offset } of records) {
        releaseIndex.apply(value)
        figuresOnRecord.apply(value)
        newest = offset
      }
    }
    const { app } = await apiWorld({
      releaseIndex,
      figures: figuresOnRecord,
      vintages: vintageQueries(client),
      events: eventQueries(client),
      newestRelease: () => newest,
    })
    const get = (id: string) => ask(app, `/v1/releases/${id}`)

    expect((await get(second.release_id)).json<ReleaseDetail>()).toMatchObject({
      figures: { value: '325.5' },
      revises: first.release_id,
      is_current: true,
      is_voided: false,
      is_served: true,
      provenance,
      approval,
      event: { sequence: '00000000000000000002' },
    })
    const { series, release_id, period, released_on, released_on_basis, recorded_at } = first
    const event = await ask(app, `/v1/events/${eventIdOf(release_id)}`)
    expect(releaseIdIn(String(event.headers.link))).toBe(release_id)
    expect((await get(first.release_id)).json<ReleaseDetail>()).toEqual({
      release_id,
      country: 'USA',
      indicator: 'cpi',
      series,
      period,
      figures: { value: '325.40' },
      printed: { value: '325.40' },
      revises: null,
      revised_by: second.release_id,
      released_on,
      released_on_basis,
      recorded_at,
      late: false,
      redates: null,
      voids: null,
      is_current: false,
      is_voided: false,
      is_served: false,
      provenance,
      approval,
      derivation: '',
      inputs: [],
      event: expect.objectContaining({ sequence: '00000000000000000001' }),
      link: '/v1/economics/USA/cpi?period=2025-11',
    })
    expect((await get(derived.release_id)).json<ReleaseDetail>().inputs).toEqual([
      {
        release_id,
        indicator: 'cpi',
        period,
        figures: { value: '325.40' },
        provenance,
        link: `/v1/releases/${release_id}`,
      },
    ])
    for (const id of [hidden.release_id, hiddenToo.release_id, `rel_${'0'.repeat(26)}`]) {
      expect((await get(id)).problem.code, id).toBe('release_not_found')
    }
  })

  it('say of a derived release that was voided what voided it, and show neither in the histories', async () => {
    const { journal, client } = await world()
    const state = nothingDerived()
    const on = (day: string) => ({ released: { on: day, basis: 'publisher' as const } })
    const flow = (indicator: 'trade-exports' | 'trade-imports', day: string, value: string) =>
      accepted(candidate(flowSeries(indicator), '2025-11', { value }, on(day)))
    const exports = flow('trade-exports', '2025-12-10', '5')
    const imports = flow('trade-imports', '2025-12-10', '2')
    const again = accepted(candidate(flowSeries('trade-imports'), '2025-11', { value: '3' }, on('2025-12-10')), imports)
    const releases = [[exports, imports], [again]].flatMap((published) => [
      ...published,
      ...deriveFrom(state, published),
    ])
    const [first, voids, second] = releases.filter(({ series }) => series.indicator === 'trade')
    await append(journal, 'releases', releases)
    await project(vintages, { journal, client })
    const [releaseIndex, figures] = [new ReleaseIndex(), new FigureBoard()]
    for (const release of releases) {
      releaseIndex.apply(release)
      figures.apply(release)
    }
    const queries = vintageQueries(client)
    const { app } = await apiWorld({
      releaseIndex,
      figures,
      vintages: queries,
      history: queries,
      journalReaches: () => true,
    })
    const get = async (id = '') => (await ask(app, `/v1/releases/${id}`)).json<ReleaseDetail>()
    expect(await get(first?.release_id)).toMatchObject({
      figures: { balance: '3' },
      revised_by: voids?.release_id,
      is_current: false,
      is_voided: true,
      is_served: false,
    })
    expect(await get(voids?.release_id)).toMatchObject({
      figures: {},
      voids: first?.release_id,
      revised_by: null,
      is_current: false,
      is_voided: false,
    })
    expect(await get(second?.release_id)).toMatchObject({
      figures: { balance: '2' },
      is_current: true,
      is_voided: false,
      is_served: true,
    })
    const prints = await ask(app, '/v1/economics/USA/trade/vintages')
    expect(new Set(prints.json<VintageList>().vintages.map(({ release_id }) => release_id))).toEqual(
      new Set([second?.release_id]),
    )
  })
})
