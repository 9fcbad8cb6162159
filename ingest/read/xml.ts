import { SaxesParser } from 'saxes'
import { documentLimits } from '../limits.ts'
import { DocumentError } from '../source.ts'

export type XmlElement = {
  /** Name without its namespace prefix. */
  readonly name: string
  /** Values by name without prefix, namespace declarations excepted. */
  readonly attributes: Readonly<Record<string, string>>
  /** The element's own character data. */
  readonly text: string
  readonly children: readonly XmlElement[]
  /** Returns the element's text in the document. */
  source(): string
}

/** Name without its namespace prefix. */
export const localName = (qualified: string): string => qualified.slice(qualified.indexOf(':') + 1)

export const isNamespace = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:')

/**
 * Opens a parser that throws `DocumentError`: `malformed_xml`, with the line, for text that is not well-formed, and for a
 * document type declaration, which could declare entities and which no source needs; `too_large` for an element with too
 * many attributes. The parser holds those of an element until its tag ends, so that counting them then would be too late.
 */
export function openXmlParser(): SaxesParser {
  const parser = new SaxesParser({ xmlns: false as const, position: true })
  const malformed = (detail: string) => new DocumentError('malformed_xml', detail, `line ${parser.line}`)
  parser.on('doctype', () => {
    throw malformed('Document type declarations are not read.')
  })
  parser.on('error', ({ message }) => {
    throw malformed(message.replace(/^\d+:\d+: /, ''))
  })
  let attributes = 0
  parser.on('opentagstart', () => {
    attributes = 0
  })
  parser.on('attribute', () => {
    const { xmlElementAttributes } = documentLimits
    if (++attributes > xmlElementAttributes)
      throw tooLarge(`has an element with more than ${xmlElementAttributes} attributes`)
  })
  return parser
}

export function refuseDepth(depth: number): void {
  if (depth > documentLimits.xmlDepth) throw tooLarge(`nests elements more than ${documentLimits.xmlDepth} deep`)
}

/**
 * Parses an XML document and returns its root element. Throws `DocumentError`: what `openXmlParser` throws, and `too_large`
 * for too many elements or attributes, or elements nested too deeply.
 */
export function parseXml(document: string): XmlElement {
  const { xmlElements, xmlAttributes } = documentLimits
  const text = document.replace(/\r\n?/g, '\n')
  const parser = openXmlParser()
  const top = new Element('', {}, text, 0)
  const open = [top]
  let elements = 0
  let attributes = 0
  parser.on('opentag', ({ name, attributes: all }) => {
    refuseDepth(open.length)
    const own: Record<string, string> = {}
    for (const attribute in all) {
      if (++attributes > xmlAttributes) throw tooLarge(`has more than ${xmlAttributes} attributes`)
      if (!isNamespace(attribute)) own[localName(attribute)] = String(all[attribute])
    }
    if (++elements > xmlElements) throw tooLarge(`has more than ${xmlElements} elements`)
    // No value of an attribute holds an opening bracket, so the last one is that of the tag.
    const element = new Element(localName(name), own, text, text.lastIndexOf('<', parser.position - 1))
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  const onText = (found: string) => {
    const element = open.at(-1)
    if (element) element.text += found
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', () => open.pop()?.endAt(parser.position))
  parser.write(text).close()
  const [root] = top.children
  if (!root) throw new DocumentError('malformed_xml', 'The document has no root element.')
  return root
}

class Element implements XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[] = []
  text = ''
  readonly #document: string
  readonly #start: number
  #end = 0

  constructor(name: string, attributes: Readonly<Record<string, string>>, document: string, start: number) {
    this.name = name
    this.attributes = attributes
    this.#document = document
    this.#start = start
  }

  endAt(end: number): void {
    this.#end = end
  }

  source(): string {
    return this.#document.slice(this.#start, this.#end)
  }
}

/** Returns the only child of that name, or undefined. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name)
export const childrenOf = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []

const tooLarge = (what: string) => new DocumentError('too_large', `The document ${what}; more are not read.`)
