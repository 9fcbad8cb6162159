import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { errorMessage } from '../../base/errors.ts'
import { DocumentError } from '../source.ts'
import { refuseTooManyElements } from './xml-size.ts'

export type XmlElement = {
  /** Name without its namespace prefix. */
  readonly name: string
  /** Values by name without prefix, with the five predefined entities replaced. */
  readonly attributes: Readonly<Record<string, string>>
  /** The element's own character data. */
  readonly text: string
  readonly children: readonly XmlElement[]
  /** Returns the element's text in the document. */
  readonly source: () => string
}

type Node = { readonly [tag: string]: unknown } & { readonly [metaData: symbol]: unknown }

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  captureMetaData: true,
  // Only the five predefined entities are replaced, and a large document may have any number of them.
  processEntities: { maxTotalExpansions: Number.POSITIVE_INFINITY, maxExpandedLength: Number.POSITIVE_INFINITY },
})
// Casts, here and below: fast-xml-parser declares its symbol as an object, and leaves its nodes untyped. Their form follows
// from the options `preserveOrder` and `captureMetaData` above.
const metaData: symbol = XMLParser.getMetaDataSymbol() as unknown as symbol

/**
 * Parses an XML document and returns its root element. Throws `DocumentError`: `malformed_xml`, with the line, for text
 * that is not well-formed, and for a document type declaration, which could declare entities and which no source needs;
 * `too_large` for too many elements or attributes, or elements nested too deeply.
 */
export function parseXml(text: string): XmlElement {
  if (/<!DOCTYPE/i.test(text)) throw new DocumentError('malformed_xml', 'Document type declarations are not read.')
  refuseTooManyElements(text)
  const verdict = XMLValidator.validate(text)
  if (verdict !== true) throw new DocumentError('malformed_xml', verdict.err.msg, `line ${verdict.err.line}`)
  const normalised = text.replace(/\r\n?/g, '\n')
  let nodes: Node[]
  try {
    nodes = parser.parse(normalised) as Node[]
  } catch (cause) {
    throw new DocumentError('malformed_xml', errorMessage(cause), '', { cause })
  }
  const [root, ...others] = nodes.filter((node) => !('#text' in node)).map((node) => elementOf(node, normalised))
  if (!root || others.length > 0) throw new DocumentError('malformed_xml', 'The document has not one root element.')
  return root
}

function elementOf(node: Node, document: string): XmlElement {
  const name = Object.keys(node).find((key) => key !== ':@') ?? ''
  const inside = node[name] as readonly Node[]
  const { startIndex, endIndex } = node[metaData] as { readonly startIndex: number; readonly endIndex: number }
  return {
    name,
    attributes: (node[':@'] ?? {}) as Readonly<Record<string, string>>,
    text: inside.map((child) => child['#text'] ?? '').join(''),
    children: inside.filter((child) => !('#text' in child)).map((child) => elementOf(child, document)),
    source: () => document.slice(startIndex, endIndex),
  }
}

/** Returns the only child of that name, or undefined. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name)
export const childrenOf = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []
