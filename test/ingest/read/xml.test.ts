import { describe, expect, it } from 'vitest'
import { XmlCursor } from '../../../ingest/read/formats/xml-cursor.ts'
import { childOf, childrenOf, parseXml } from '../../../ingest/read/xml.ts'

it('reads elements, attributes and text without namespace prefixes, entities replaced', () => {
  const root = parseXml(`<?xml version="1.0"?>
<!-- a comment --><m:a xmlns:m="x" m:b="1 &lt; 2">one<c>A &amp; B</c><c d='03.10'/>two<![CDATA[<e/>]]></m:a>`)
  expect(root).toMatchObject({ name: 'a', attributes: { b: '1 < 2' }, text: 'onetwo<e/>' })
  expect(childrenOf(root, 'c').map(({ text, attributes }) => [text, attributes.d])).toEqual([
    ['A & B', undefined],
    ['', '03.10'],
  ])
  expect(childOf(root, 'c')?.source()).toBe('<c>A &amp; B</c>')
  expect(childOf(root, 'none')).toBeUndefined()
})

it('finds an element’s source behind Windows line ends', () => {
  const root = parseXml('<a>\r\n\r\n<b\r\n c="1"/>\r\n</a>')
  expect(childOf(root, 'b')?.source()).toBe('<b\n c="1"/>')
})

describe('refuses', () => {
  it.each([
    ['nothing', ''],
    ['an open element', '<a><b></b>'],
    ['crossed elements', '<a><b></a></b>'],
    ['two roots', '<a></a><b></b>'],
    ['two empty roots', '<a/><b/>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['text behind the root', '<a></a>b'],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ])('%s', (_, text) => {
    expect(() => parseXml(text)).toThrow(expect.objectContaining({ name: 'DocumentError', reason: 'malformed_xml' }))
  })

  it('with the line', () => {
    expect(() => parseXml('<a>\n<b>\n</a>')).toThrow(expect.objectContaining({ location: 'line 3' }))
  })
})

const attributes = (count: number): string => Array.from({ length: count }, (_, i) => ` b${i}=""`).join('')

describe('counts while it builds', () => {
  it.each([
    ['elements a thousand deep', '<a>'.repeat(1_000) + '</a>'.repeat(1_000)],
    ['depth behind values that look like ends', '<a b="/>" c=\'>\'>'.repeat(65) + '</a>'.repeat(65)],
    ['more elements', `<r>${'<a/>'.repeat(1_000_000)}</r>`],
    ['more attributes', `<r>${`<a${attributes(1_000)}/>`.repeat(4_001)}</r>`],
    ['more attributes of one element', `<r><a${attributes(1_001)}/></r>`],
  ])('%s', (_, text) => {
    expect(() => parseXml(text)).toThrow(expect.objectContaining({ name: 'DocumentError', reason: 'too_large' }))
  })
  it('and refuses an element that would exhaust memory before its end, read in pieces, too', () => {
    function* pieces() {
      yield '<a'
      for (let i = 0; i < 100; i++) yield attributes(100)
      throw new Error('The element is read on.')
    }
    expect(() => [...new XmlCursor(pieces()).children()]).toThrow(
      expect.objectContaining({ reason: 'too_large', message: expect.stringContaining('1000 attributes') }),
    )
  })
  it('and counts no comment, instruction, text or empty element as depth', () => {
    const inside = '<!-- <a> --><?x <a> ?><![CDATA[<a>]]><a/>'.repeat(100)
    expect(parseXml(`<r>${inside}</r>`).children).toHaveLength(100)
    expect(parseXml(`${'<a>'.repeat(64)}${'</a>'.repeat(64)}`).name).toBe('a')
  })
})
