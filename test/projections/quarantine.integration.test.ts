import { describe, expect, test } from 'vitest'
import { quarantine } from '../../projections/views/quarantine/project.ts'
import { quarantineQueries } from '../../projections/views/quarantine/query.ts'
import { rejectedNumber } from '../support/journal-records.ts'
import { append, project, rows, useWorlds } from './support/world.ts'

const world = useWorlds()

describe('quarantine', () => {
  test('counts rejected inputs, each once however many parts it has', async () => {
    const { journal, client } = await world()
    const parts = [1, 2, 3].map((part) => ({ ...rejectedNumber(0), part, parts: 3 }))
    const late = { ...rejectedNumber(2), reason: 'bad_period', recorded_at: '2026-02-01T00:00:00.000Z' }
    await append(journal, 'quarantine', [...parts, rejectedNumber(1), late, { ...late, part: 2, parts: 2 }])
    await project(quarantine, { journal, client })

    const { rejectedSince } = quarantineQueries(client)
    expect(await rejectedSince(0)).toEqual([
      { source: 'TEST', reason: 'not_a_decimal', inputs: 2, last: rejectedNumber(1).recorded_at, detail: 'value 1' },
      { source: 'TEST', reason: 'bad_period', inputs: 1, last: late.recorded_at, detail: 'value 2' },
    ])
    expect(await rejectedSince(Date.parse(late.recorded_at))).toMatchObject([{ reason: 'bad_period' }])
    // The last record gave no row, so the block ends in a marker that carries its place.
    expect(await rows(client, 'SELECT _offset, _marker FROM quarantine ORDER BY _offset')).toEqual([
      { _offset: 0, _marker: false },
      { _offset: 3, _marker: false },
      { _offset: 4, _marker: false },
      { _offset: 5, _marker: true },
    ])
  })

  test('tells where held inputs are from, until they are approved', async () => {
    const { journal, client } = await world()
    const heldAt = (number: number, location: string) => ({ ...rejectedNumber(number), reason: 'held_jump', location })
    const [cpi, gdp] = [heldAt(0, 'USA.cpi.M.TEST, 2024-01 (line 1)'), heldAt(1, 'USA.gdp.Q.TEST, 2024-Q1 (line 1)')]
    const approval = { ...rejectedNumber(2), reason: 'approved', location: gdp.input_id }
    await append(journal, 'quarantine', [cpi, gdp, rejectedNumber(3), approval])
    await project(quarantine, { journal, client })

    expect(await quarantineQueries(client).heldLocations()).toEqual([cpi.location])
  })
})
