import { expect, it } from 'vitest'
import type { JournalRecord } from '../../journal/typed.ts'
import { defineProjection } from '../../projections/user-projection.ts'
import { checkedProjection, viewOf } from '../../projections/user-view.ts'
import { gdpNumber } from '../support/projection-runs.ts'
import { project, rows, useWorlds } from './support/world.ts'

const newWorld = useWorlds()
const source = { file: 'own.ts', hash: 'hash' }
const record = { topic: 'releases', partition: 0, offset: 41, value: gdpNumber(0) } as JournalRecord<'releases'>
const given = { name: 'own', topic: 'releases', columns: { x: 'UInt8' }, rows: () => [{ x: 1 }] }

it.each<[object, string]>([
  [{ name: 'Events' }, 'name must be 1 to 50 lower-case letters, digits and _, beginning with a letter, not "Events"'],
  [{ name: 'a_rebuilt' }, 'name must not end with _rebuilt: rebuilds use such tables'],
  [
    { topic: 'quotes' },
    'topic must be one of releases, ticks, price_history, standings, signals, events, calendar, quarantine, not "quotes": it is',
  ],
  [
    { topic: 'prices' },
    'topic must be one of releases, ticks, price_history, standings, signals, events, calendar, quarantine, not "prices"',
  ],
  [{ columns: {} }, 'columns must name the type of each column'],
  [{ columns: { _offset: 'UInt8' } }, 'columns._offset: a name has 1 to 50'],
  [{ columns: { x: 1 } }, 'columns.x: the type must be text, not 1'],
  [{ orderBy: ['y'] }, 'orderBy must be a list of columns; "y" is none'],
  [{ orderBy: 'x' }, 'orderBy must be a list of columns; "x" is none'],
  [{ order: 1 }, 'unknown member "order". Known: name, topic, columns, orderBy, rows'],
  [{ rows: 1 }, 'rows must be a function from a record to its rows, not 1'],
])('refuses the definition %j', (over, says) => {
  expect(() => checkedProjection({ ...given, ...over }, 'own.ts')).toThrow(`own.ts: ${says}`)
})

it.each(['Strng', 'UInt8) ENGINE = Null --', 'UInt8, y UInt8', ''])('refuses the type %j', async (type) => {
  const { client } = await newWorld()
  const projection = checkedProjection({ ...given, columns: { x: type } }, 'own.ts')
  await expect(viewOf(projection, source, client)).rejects.toThrow(
    `own.ts: columns.x: ClickHouse has no type ${JSON.stringify(type)}: `,
  )
})

const rowOf = (x: unknown) => () => [{ x }]
it.each<[string, string, () => unknown, string]>([
  ['no list', 'UInt8', () => ({ x: 1 }), 'rows() must return an array of rows, not {"x":1}'],
  ['a promise', 'UInt8', async () => [], 'rows() must return an array of rows, not a promise'],
  ['a row that is a list', 'UInt8', () => [[1]], 'row 0 must be an object with the columns, not [1]'],
  ['an unknown column', 'UInt8', () => [{ x: 1 }, { y: 1 }], 'row 1 has "y", which is no column; columns: x'],
  ['a missing column', 'UInt8', () => [{}], 'row 0, column x: undefined cannot be stored'],
  ['null', 'UInt8', rowOf(null), 'row 0, column x: null needs Nullable(UInt8)'],
  ['NaN', 'Float64', rowOf(Number.NaN), 'row 0, column x: NaN cannot be stored'],
  ['a Date', 'Date', rowOf(new Date(0)), 'row 0, column x: a Date (its toISOString() can)'],
  ['a bigint', 'UInt64', rowOf(1n), 'row 0, column x: the bigint 1 (its text can)'],
  ['undefined in a list', 'Array(String)', rowOf([undefined]), 'row 0, column x: '],
  ['too many digits', 'Decimal(9, 2)', rowOf('1.234'), 'row 0, column x: "1.234" has more digits than Decimal(9, 2)'],
  ['no decimal', 'Nullable(Decimal(9, 2))', rowOf('n/a'), 'row 0, column x: "n/a" is no decimal'],
  [
    'digits beyond an alias',
    'Decimal64(2)',
    rowOf('1.234'),
    'row 0, column x: "1.234" has more digits than Decimal(18, 2)',
  ],
  [
    'digits in a list',
    'Array(Decimal(9, 1))',
    rowOf(['1', '1.25']),
    'row 0, column x: "1.25" has more digits than Decimal(9, 1)',
  ],
  [
    'digits in a map',
    'Map(String, Decimal(9, 1))',
    rowOf({ y: 1.25 }),
    'row 0, column x: 1.25 has more digits than Decimal(9, 1)',
  ],
  ['null in a list', 'Array(LowCardinality(String))', rowOf([null]), 'row 0, column x: null needs Nullable(String)'],
  ['a number that is too great', 'UInt8', rowOf(256), 'row 0, column x: 256 is beyond the range of UInt8'],
  [
    'a number that is too small',
    'Nullable(INTEGER)',
    rowOf('-2147483649'),
    'row 0, column x: "-2147483649" is beyond the range of Int32',
  ],
  [
    'a number that is not exact',
    'UInt64',
    rowOf(2 ** 53),
    'row 0, column x: 9007199254740992 is beyond the whole numbers',
  ],
  ['text for a number', 'UInt8', rowOf(''), 'row 0, column x: "" is no whole number'],
  [
    'an early day',
    'Date',
    rowOf('1969-12-31'),
    'row 0, column x: "1969-12-31" is beyond the range of Date, 1970-01-01 to 2149-06-06',
  ],
  [
    'a late instant',
    'DateTime',
    rowOf('2106-02-07T00:00:00Z'),
    'row 0, column x: "2106-02-07T00:00:00Z" is beyond the range of DateTime',
  ],
])('refuses %s', async (_, type, rows, says) => {
  const { client } = await newWorld()
  const view = await viewOf(checkedProjection({ ...given, columns: { x: type }, rows }, 'own.ts'), source, client)
  expect(() => view.project(record)).toThrow(`own.ts: releases/0 offset 41: ${says}`)
})

it('stores values of every kind, and markers beside them', async () => {
  const world = await newWorld()
  const columns = {
    decimal: 'Decimal(38, 3)',
    nothing: 'Nullable(Date)',
    day: 'Date',
    instant: `DateTime64(3, 'UTC')`,
    kind: `Enum8('a' = 1, 'b' = 2)`,
    list: 'Array(String)',
    map: 'Map(String, Decimal(9, 1))',
    flag: 'Bool',
    least: 'Int32',
    early: 'Date32',
  } as const
  const own = defineProjection({
    name: 'kinds',
    topic: 'releases',
    columns,
    orderBy: ['day'],
    rows: ({ offset }) => {
      const cells = { decimal: '1.2500', nothing: null, day: '2026-01-02', instant: '2026-01-02T03:04:05.678Z' }
      const ends = { least: '-2147483648', early: '1950-01-01' }
      return offset === 0 ? [{ ...cells, kind: 'b', list: ['x'], map: { y: '1.5' }, flag: true, ...ends }] : []
    },
  })
  const { journal, client } = world
  const drafts = [0, 1, 2].map((n) => ({ value: gdpNumber(n), id: `${n}`, at: 0 }))
  await journal.append('releases', 0, drafts)
  await project(await viewOf(checkedProjection(own, 'own.ts'), source, client), world)
  expect(await rows(client, 'SELECT * FROM user_kinds ORDER BY _offset')).toMatchObject([
    {
      decimal: '1.25',
      nothing: null,
      day: '2026-01-02',
      kind: 'b',
      list: ['x'],
      map: { y: '1.5' },
      least: -2147483648,
      early: '1950-01-01',
      _marker: false,
    },
    { decimal: '0', nothing: null, day: '1970-01-01', kind: 'a', list: [], map: {}, _offset: 2, _marker: true },
  ])
})
