import { describe, expect, it } from 'vitest'
import { cellOf, memberAt, unscaled } from '../../archive/cells.ts'
import { type ColumnType, memberColumns, nestedId, tableColumns } from '../../archive/columns.ts'
import { type Topic, topicNames, topics } from '../../contracts/topics.ts'

type Schema = {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

/** Paths of all members of a record, with the kind of each: nested records are flat, maps and lists are one member. */
function membersOf(schema: Schema, path = ''): [path: string, kind: string][] {
  const variant = schema.anyOf?.find(({ type }) => type !== 'null')
  if (variant) return membersOf(variant, path)
  if (schema.patternProperties) return [[path, 'map']]
  if (!schema.properties) return [[path, schema.type ?? 'union']]
  return Object.entries(schema.properties).flatMap(([name, member]) =>
    membersOf(member, path === '' ? name : `${path}.${name}`),
  )
}

const kinds: Readonly<Record<string, readonly ColumnType[]>> = {
  string: ['string', 'decimal', 'timestamp', 'date'],
  integer: ['long'],
  boolean: ['boolean'],
  bytes: ['bytes'],
  array: ['list<string>'],
  map: ['map<string, string>', 'map<string, decimal>'],
}

describe.each(topicNames)('the table of %s', (topic: Topic) => {
  // Cast: TypeBox has no type for a schema's JSON.
  const members = membersOf(topics[topic].record as Schema)

  it('has a column for each member of the record, and for figures.value', () => {
    const paths = memberColumns[topic].map(({ path }) => path.join('.'))
    const own = paths.filter((path) => path !== 'figures.value')
    expect(own).toEqual(members.map(([path]) => path))
    expect(paths.length - own.length).toBe(topic === 'releases' ? 1 : 0)
  })
  it('has columns of the members’ kinds', () => {
    for (const [path, kind] of members) {
      const column = memberColumns[topic].find((found) => found.path.join('.') === path)
      expect(kinds[kind], path).toContain(column?.type)
    }
  })
  it('has names and field ids that occur once', () => {
    const columns = tableColumns(topic)
    const ids = columns.flatMap((column) => [column.id, nestedId(column), nestedId(column) + 1])
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length)
  })
})

it('columns keep their ids', () => {
  const all = topicNames.map(
    (topic) =>
      `${topic}: ${tableColumns(topic)
        .map(({ id, name, type }) => `${id} ${name} ${type}`)
        .join(', ')}`,
  )
  expect(all).toMatchSnapshot()
})

describe('a cell', () => {
  it.each([
    ['1', 10n ** 18n],
    ['-0.000000000000000001', -1n],
    ['12345678901234567890.123456789012345678', 12345678901234567890123456789012345678n],
    ['123456789012345678901', null],
    ['0.1234567890123456789', null],
    ['0.1234567890123456780', 123456789012345678n],
    ['2.50', 2_500_000_000_000_000_000n],
    ['', null],
    ['1e3', null],
    ['NaN', null],
  ])('decimal %s', (text, expected) => expect(unscaled(text)).toBe(expected))
  it('a zero without places may have a sign', () => expect(unscaled('-0', 0)).toBe(0n))
  it.each([
    ['timestamp', '2026-01-15T12:00:00.123Z', 1_768_478_400_123_000n],
    ['timestamp', '2026-01-15T12:00:00.123456Z', 1_768_478_400_123_456n],
    ['timestamp', '2026-01-15T12:00:00.1234567Z', null],
    ['timestamp', '2026-01-15T12:00:00Z', 1_768_478_400_000_000n],
    ['timestamp', '1969-12-31T23:59:59.999Z', -1_000n],
    ['timestamp', '2026-02-30T12:00:00.000Z', null],
    ['timestamp', '', null],
    ['date', '1970-01-02', 1],
    ['date', '2026-02-30', null],
    ['date', '1969-12-31', -1],
    ['long', 5, 5n],
    ['string', 'x', 'x'],
    ['boolean', false, false],
    [
      'map<string, decimal>',
      { b: '1', a: 'n/a' },
      [
        { key: 'a', value: null },
        { key: 'b', value: 10n ** 18n },
      ],
    ],
  ] as const)('%s %j', (type, value, expected) => expect(cellOf(type, value)).toEqual(expected))
  it('of a member of something that is null is null', () => {
    expect(memberAt({ scored: null }, ['scored', 'value'])).toBeNull()
    expect(cellOf('decimal', memberAt(null, ['price']))).toBeNull()
  })
})
