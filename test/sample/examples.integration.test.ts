/** What the examples of the reference name is in the sample, so that a reader who tries them finds it. */
import { describe, expect, it } from 'vitest'
import { examples } from '../../api/examples.ts'
import { streamExamples } from '../../api/stream-examples.ts'
import type { Event } from '../../contracts/events.ts'
import type { ObservationList, VintageList } from '../../contracts/histories.ts'
import { observationsOperationId, vintagesOperationId } from '../../contracts/history-operations.ts'
import { servedIndicators, servingOf } from '../../contracts/indicators.ts'
import { toResource } from '../../domain/resource.ts'
import { board, events, releases } from './support.ts'

const text = JSON.stringify([examples, streamExamples])
const idsOf = (kind: 'rel' | 'evt') => [...new Set(text.match(new RegExp(`\\b${kind}_[0-9A-Z]{26}\\b`, 'g')))]
const bodyOf = <B>(id: string) => examples[id]?.body as B

describe('the examples name', () => {
  it('releases of the sample', () => {
    const known = new Set(releases.map(({ release_id }) => release_id))
    expect(idsOf('rel').length).toBeGreaterThan(10)
    expect(idsOf('rel').filter((id) => !known.has(id))).toEqual([])
  })

  it('events of the sample, as they are', () => {
    const known = new Map(events.map((event) => [event.id, event]))
    expect(idsOf('evt').length).toBeGreaterThan(1)
    expect(idsOf('evt').filter((id) => !known.has(id))).toEqual([])
    const shown = bodyOf<Event>('events_get')
    const { type, source, family, country, subject, dataschema, data } = known.get(shown.id) ?? expect.fail(shown.id)
    expect(shown).toMatchObject({ type, source, family, country, subject, dataschema, data: JSON.parse(data) })
  })

  it.each(servedIndicators)('figures, a history and vintages of the sample: %s', (indicator) => {
    const shown = bodyOf<{ readonly country: string; readonly period: string }>(servingOf(indicator).operationId)
    const served = board.at(shown.country, indicator, shown.period) ?? expect.fail('no such figure')
    expect(shown).toEqual(toResource(served))

    const { observations } = bodyOf<ObservationList>(observationsOperationId(indicator))
    for (const { country, period, value } of observations)
      expect(Object.values(board.at(country, indicator, period)?.figures ?? {}), period).toContain(value)

    for (const { release_id, value, ...vintage } of bodyOf<VintageList>(vintagesOperationId(indicator)).vintages) {
      const release = releases.find((each) => each.release_id === release_id) ?? expect.fail(release_id)
      const { period, released_on, released_on_basis, revises, figures } = release
      expect(vintage).toMatchObject({ period, released_on, released_on_basis, revises })
      expect(Object.values(figures)).toContain(value)
    }
  })
})
