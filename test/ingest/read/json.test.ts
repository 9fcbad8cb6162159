import { describe, expect, it } from 'vitest'
import { isArray, isObject, parseJson, printed } from '../../../ingest/read/json.ts'

describe('JSON', () => {
  it('keeps numbers as they were printed, out and in', () => {
    const text = '{"a":[1.50,-0,1e400,12345678901234567890.12345678901234567890],"b":"1.50","c":null,"d":true}'
    expect(JSON.stringify(parseJson(text))).toBe(text)
  })

  it('gives the text of strings and numbers only', () => {
    const json = parseJson('["x",1.50,null,true,{},[]]')
    expect(isArray(json) && json.map(printed)).toEqual(['x', '1.50', undefined, undefined, undefined, undefined])
  })

  it('tells objects from arrays, null and numbers', () => {
    const json = parseJson('[{},[],null,1,"",false]')
    expect(isArray(json) && json.map(isObject)).toEqual([true, false, false, false, false, false])
  })

  it.each([['<html>'], ['{"a":1'], [''], ['[1,]'], ['{"a":01}']])('is refused where it is none: %.20s', (text) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ name: 'DocumentError', reason: 'malformed_json' }))
  })

  it('is refused where it is nested too deeply, but not where brackets stand in a text', () => {
    for (const depth of [65, 5_000, 100_000])
      expect(() => parseJson(`${'['.repeat(depth)}${']'.repeat(depth)}`)).toThrow(
        expect.objectContaining({ name: 'DocumentError', reason: 'too_large' }),
      )
    for (const text of [`"${'['.repeat(100)}"`, `["\\"${'[{'.repeat(100)}\\\\",1]`])
      expect(JSON.stringify(parseJson(text))).toBe(text)
  })
})
