import { readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { compareStructure, joinedChange, structureChangeText, structureOf } from '../../ingest/read/format-changes.ts'
import { fixturePath } from './sources/fixture.ts'

const namesOf = (text: string) => structureOf(Buffer.from(text))

describe('the structure of', () => {
  it.each([
    ['a table', 'a,"b",2024-01,2024-02\n1,2,3,4\n', ['column *', 'column a', 'column b']],
    ['a table with tabs', 'freq,unit\\TIME_PERIOD\t2024 \t2025 \n', ['column *', 'column freq,unit\\TIME_PERIOD']],
    ['JSON', '{"a":[{"b":"{\\"c\\":1}","d":{"1":2,"2":3}}],"e":"x"}', ['a', 'a[].b', 'a[].d', 'a[].d.*', 'e']],
    [
      'JSON-stat',
      '{"dimension":{"geo":{"category":{"index":{"DE":0,"FR":1}}}}}',
      [
        'dimension',
        'dimension.geo',
        'dimension.geo.category',
        'dimension.geo.category.index',
        'dimension.geo.category.index.*',
      ],
    ],
    [
      'XML',
      '<?xml version="1.0"?><m:A xmlns:m="x"><!-- n --><B c="1>2" d=\'3\'/></m:A>',
      ['A', 'B', 'B@c', 'B@d', 'xml', 'xml@version'],
    ],
    [
      'SDMX-ML',
      '<Series><Value id="FREQ" value="M"/></Series>',
      ['Series', 'Value', 'Value@id', 'Value@value', 'Value[FREQ]'],
    ],
    ['text', 'nothing\n', []],
    ['nothing', '', []],
  ])('%s', (_, text, names) => {
    expect(namesOf(text).filter((name) => !name.startsWith('xml'))).toEqual(
      names.filter((name) => !name.startsWith('xml')),
    )
  })

  it('an archive is that of its table, and a workbook has its sheets', () => {
    expect(structureOf(zipSync({ 'x.csv': strToU8('a,b\n') }))).toEqual(['column a', 'column b'])
    const workbook = zipSync({
      'xl/workbook.xml': strToU8('<sheets><sheet name="Monthly Prices" sheetId="1"/></sheets>'),
    })
    expect(structureOf(workbook)).toEqual(['sheet Monthly Prices'])
    expect(structureOf(zipSync({ 'x.csv': strToU8('a,b\n') }).subarray(0, 60))).toEqual([])
  })

  it('codes is not that of each code, and no document makes it large', () => {
    const codes = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`c${i}`, 1]))
    expect(namesOf(JSON.stringify({ codes })).length).toBeLessThan(300)
    expect(namesOf(Array.from({ length: 10_000 }, (_, i) => `c${i}`).join()).length).toBeLessThanOrEqual(5_000)
    expect(namesOf('['.repeat(100_000))).toEqual([])
  })

  it('a real answer does not depend on its figures', () => {
    const text = readFileSync(fixturePath('world-bank/exports.json'), 'utf8')
    expect(namesOf(text.replace(/"value":\d/, '"value":9'))).toEqual(namesOf(text))
    expect(namesOf(text)).toContain('[][].country.id')
  })
})

describe('a change', () => {
  const first = compareStructure(undefined, ['a', 'b', 'list', 'list[].x']).known

  it('is none for the first document, the same, and one whose list is empty', () => {
    expect(compareStructure(first, ['a', 'b', 'list', 'list[].x']).change).toBeUndefined()
    expect(compareStructure(first, ['a', 'b', 'list']).change).toBeUndefined()
    expect(compareStructure(first, []).change).toBeUndefined()
  })

  it('is kept with the one before that nobody has accepted', () => {
    expect(joinedChange(undefined, { appeared: ['b'], gone: [] })).toEqual({ appeared: ['b'], gone: [] })
    expect(joinedChange({ appeared: ['b'], gone: ['x'] }, { appeared: ['a', 'b'], gone: ['y'] })).toEqual({
      appeared: ['a', 'b'],
      gone: ['x', 'y'],
    })
  })

  it('names what appeared and what went, once', () => {
    const { known, change } = compareStructure(first, ['a', 'c', 'list', 'list[].y'])
    expect(change && structureChangeText(change)).toBe('appeared: c, list[].y; gone: b, list[].x')
    expect(compareStructure(known, ['a', 'b', 'list', 'list[].x']).change).toBeUndefined()
    expect(compareStructure(known, ['b', 'c', 'list', 'list[].y']).change).toEqual({ appeared: [], gone: ['a'] })
  })
})
