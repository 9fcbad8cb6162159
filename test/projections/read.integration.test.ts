import { describe, expect, test } from 'vitest'
import { read } from '../../projections/views/read.ts'
import { useWorlds } from './support/world.ts'

const world = useWorlds()
const cost = { seconds: 5, megabytes: 200, rows: 1_000 }
const NUMBERS = 'SELECT number AS n FROM system.numbers LIMIT {n:UInt64}'

describe('a read', () => {
  test('answers exact integers and binds its parameters', async () => {
    const { client } = await world()
    expect(await read(client, 'SELECT {n:UInt64} AS n, {t:String} AS t', { n: 2 ** 52 + 1, t: "'" }, cost)).toEqual([
      { n: 2 ** 52 + 1, t: "'" },
    ])
  })

  test('is ended when it answers more rows, takes longer or more memory than it may', async () => {
    const { client } = await world()
    await expect(read(client, NUMBERS, { n: 1_001 }, cost)).rejects.toMatchObject({
      code: 'invalid_query',
      message: expect.stringContaining('more rows'),
    })
    const forever = 'SELECT sum(sipHash64(number)) AS n FROM system.numbers'
    await expect(read(client, forever, {}, { ...cost, seconds: 1 })).rejects.toMatchObject({ code: 'unavailable' })
    const large = 'SELECT length(groupArray(number)) AS n FROM (SELECT number FROM system.numbers LIMIT 50000000)'
    await expect(read(client, large, {}, { ...cost, megabytes: 20 })).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('changes nothing', async () => {
    const { client } = await world()
    await expect(read(client, 'CREATE TABLE t (a Int8) ENGINE = Memory', {}, cost)).rejects.toMatchObject({
      code: '164',
    })
  })
})
