import { isNamespace, localName, openXmlParser, refuseDepth } from '../xml.ts'

export type XmlTag = {
  /** Name without its namespace prefix. */
  readonly name: string
  /** Attributes without a prefix, in the order of the document. */
  readonly attributes: Readonly<Record<string, string>>
  /** Attributes with a prefix, by their name without it, e.g. `type` of `xsi:type`; namespace declarations excepted. */
  readonly prefixed: Readonly<Record<string, string>>
  /** Addresses of the namespaces that the element declares. */
  readonly namespaces: readonly string[]
}

type XmlEvent =
  | { readonly kind: 'open'; readonly tag: XmlTag }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close' }

/**
 * Reads an XML document piece by piece, from its root element inwards, and never holds more than a piece. Throws
 * `DocumentError`: what `openXmlParser` throws, and `too_large` for elements nested too deeply.
 */
export class XmlCursor {
  readonly #events: Iterator<XmlEvent>
  #depth = 0

  constructor(text: Iterable<string>) {
    this.#events = eventsOf(text)
  }

  /**
   * Yields the child elements of the current element; before the first call, the root. A child's own children may be read before
   * the next child is asked for, and are skipped otherwise. Ask for every child before the cursor goes on in the parent.
   */
  *children(): Generator<XmlTag> {
    const own = this.#depth
    for (let event = this.#next(); event; event = this.#next()) {
      if (this.#depth < own) return
      if (event.kind === 'open' && this.#depth === own + 1) yield event.tag
    }
  }

  /**
   * Reads the current element to its end and returns its own character data, trimmed. `onChild` is called for each child
   * and may read it.
   */
  content(onChild: (child: XmlTag) => void = () => {}): string {
    const own = this.#depth
    let text = ''
    for (let event = this.#next(); event && this.#depth >= own; event = this.#next()) {
      if (event.kind === 'text' && this.#depth === own) text += event.text
      if (event.kind === 'open' && this.#depth === own + 1) onChild(event.tag)
    }
    return text.trim()
  }

  #next(): XmlEvent | undefined {
    const { value, done } = this.#events.next()
    if (done) return undefined
    if (value.kind === 'open') this.#depth++
    if (value.kind === 'close') this.#depth--
    return value
  }
}

function* eventsOf(text: Iterable<string>): Generator<XmlEvent> {
  const parser = openXmlParser()
  let events: XmlEvent[] = []
  let depth = 0
  parser.on('opentag', ({ name, attributes }) => {
    refuseDepth(++depth)
    events.push({ kind: 'open', tag: tagOf(name, attributes) })
  })
  parser.on('closetag', () => {
    depth--
    events.push({ kind: 'close' })
  })
  const onText = (found: string) => {
    events.push({ kind: 'text', text: found })
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  const taken = (): readonly XmlEvent[] => {
    const batch = events
    events = []
    return batch
  }
  for (const piece of text) {
    parser.write(piece)
    yield* taken()
  }
  parser.close()
  yield* taken()
}

function tagOf(qualified: string, all: Readonly<Record<string, string>>): XmlTag {
  const attributes: Record<string, string> = {}
  const prefixed: Record<string, string> = {}
  let namespaces: string[] | undefined
  for (const [name, value] of Object.entries(all)) {
    const colon = name.indexOf(':')
    if (isNamespace(name)) namespaces = [...(namespaces ?? []), value]
    else if (colon < 0) attributes[name] = value
    else prefixed[name.slice(colon + 1)] = value
  }
  return { name: localName(qualified), attributes, prefixed, namespaces: namespaces ?? none }
}

const none: readonly string[] = []
