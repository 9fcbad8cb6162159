import { listText } from '../../domain/list-text.ts'
import { DocumentError } from '../source.ts'
import { syntaxOf } from './body.ts'
import { isZip, readZip } from './zip.ts'

/**
 * The structure of a document: names of columns, members, elements and attributes, never values. It is compared from
 * one document of a dataset to the next, so that a publisher's change of format is told by name.
 */
type Names = readonly string[]

const MAX_NAMES = 5_000
const MAX_CHARS = 200
const MAX_DEPTH = 64
/** Members of one object beyond which they are taken for values, such as the codes of a dimension. */
const MAX_MEMBERS = 200

/** Names of a document, sorted. Empty for a document that has none, or that cannot be unpacked. */
export function structureOf(bytes: Uint8Array): Names {
  const names = new Set<string>()
  const add = (name: string) => {
    if (names.size < MAX_NAMES) names.add(name.slice(0, MAX_CHARS))
  }
  if (isZip(bytes)) addZip(bytes, add)
  else addText(new TextDecoder().decode(bytes), add)
  return [...names].sort()
}

type Add = (name: string) => void

function addZip(bytes: Uint8Array, add: Add): void {
  try {
    for (const { name, read } of readZip(bytes)) {
      if (name.endsWith('.csv')) addText(new TextDecoder().decode(read()), add)
      if (name !== 'xl/workbook.xml') continue
      for (const [, sheet] of new TextDecoder().decode(read()).matchAll(/<sheet [^>]*name="([^"]*)"/g))
        add(`sheet ${sheet}`)
    }
  } catch (error) {
    // The reader reports what is wrong with the archive.
    if (!(error instanceof DocumentError)) throw error
  }
}

function addText(text: string, add: Add): void {
  const syntax = syntaxOf(text)
  if (syntax === 'XML') addXml(text, add)
  else if (syntax === 'JSON') addJson(text, add)
  else addHeader(text, add)
}

/** Columns of a table. Those that are periods change with every document, so they count as one. */
function addHeader(text: string, add: Add): void {
  const end = text.indexOf('\n')
  const line = text.slice(0, Math.min(end < 0 ? text.length : end, 1024 * 1024)).trim()
  const delimiter = line.includes('\t') ? '\t' : line.includes(',') ? ',' : ';'
  if (!line.includes(delimiter)) return
  for (const cell of line.split(delimiter)) {
    const name = cell.trim().replace(/^"(.*)"$/, '$1')
    if (name !== '') add(/^\d{4}/.test(name) ? 'column *' : `column ${name}`)
  }
}

/** Elements and attributes without their prefixes, and the components that SDMX names in attributes. */
function addXml(text: string, add: Add): void {
  const tag = /[\w:.-]+/y
  const attribute = /\s*([\w:.-]+)\s*=\s*(["'])/y
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    tag.lastIndex = ++at
    const element = tag.exec(text)?.[0].replace(/^.*:/, '')
    if (element === undefined) continue
    add(element)
    attribute.lastIndex = tag.lastIndex
    for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
      const [, name = '', quote = ''] = found
      const end = text.indexOf(quote, attribute.lastIndex)
      if (end < 0) return
      if (!name.startsWith('xmlns')) add(`${element}@${name.replace(/^.*:/, '')}`)
      if (element === 'Value' && (name === 'id' || name === 'concept'))
        add(`Value[${text.slice(attribute.lastIndex, end)}]`)
      attribute.lastIndex = end + 1
      at = end
    }
  }
}

/** Paths of members, in one pass that builds nothing else: `data[].period`. Numbers and codes as members count as one. */
function addJson(text: string, add: Add): void {
  const open: { readonly path: string; readonly isArray: boolean }[] = []
  const members = new Map<string, Set<string>>()
  let path = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '{' || char === '[') {
      if (open.length >= MAX_DEPTH) return
      const isArray = char === '['
      open.push({ path: isArray ? `${path}[]` : path, isArray })
      path = open.at(-1)?.path ?? ''
    } else if (char === '}' || char === ']') {
      open.pop()
      path = open.at(-1)?.path ?? ''
    } else if (char === ',') path = open.at(-1)?.path ?? ''
    else if (char === '"') {
      const start = at + 1
      at = endOfString(text, start)
      if (at < 0) return
      let next = at + 1
      while (text[next] === ' ' || text[next] === '\n' || text[next] === '\r' || text[next] === '\t') next++
      const within = open.at(-1)
      if (text[next] !== ':' || !within || within.isArray) continue
      path = `${within.path}.${memberName(within.path, text.slice(start, at), members)}`
      add(path.replace(/^\./, ''))
      at = next
    }
  }
}

/** Index of the quote that ends a string, or -1. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start)
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at
}

/** Tells whether the quote at `at` is escaped: an odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text[before] === '\\') before--
  return (at - before) % 2 === 0
}

function memberName(path: string, member: string, members: Map<string, Set<string>>): string {
  if (/^[\d:.-]+$/.test(member) || /\.category\.\w+$/.test(path)) return '*'
  const known = members.get(path) ?? new Set()
  members.set(path, known.add(member))
  return known.size > MAX_MEMBERS ? '*' : member
}

/** The known structure of a dataset: names that every document had, and names that only some had. */
type KnownStructure = { readonly always: Names; readonly sometimes: Names }

/** Names that no document had before, and names that all had and this one lacks. */
export type StructureChange = { readonly appeared: Names; readonly gone: Names }

/** Compares a document with what is known. The first document is what the next ones are compared with. */
export function compareStructure(
  known: KnownStructure | undefined,
  names: Names,
): { readonly known: KnownStructure; readonly change: StructureChange | undefined } {
  if (names.length === 0) return { known: known ?? { always: [], sometimes: [] }, change: undefined }
  if (!known || known.always.length === 0) return { known: { always: names, sometimes: [] }, change: undefined }
  const now = new Set(names)
  const before = new Set([...known.always, ...known.sometimes])
  const appeared = names.filter((name) => !before.has(name))
  // An empty list says nothing of its members, so those of a list without any count as present.
  const isLeftOut = (name: string): boolean => {
    const list = name.slice(0, name.lastIndexOf('[]') + 2)
    return name.includes('[]') && !names.some((other) => other.startsWith(`${list}.`))
  }
  const gone = known.always.filter((name) => !now.has(name) && !isLeftOut(name))
  const lost = new Set(gone)
  return {
    known: {
      always: known.always.filter((name) => !lost.has(name)),
      sometimes: [...new Set([...known.sometimes, ...gone, ...appeared])].sort(),
    },
    change: appeared.length + gone.length === 0 ? undefined : { appeared, gone },
  }
}

/** Both changes as one, for a change that follows one which nobody has accepted. */
export function joinedChange(
  before: StructureChange | undefined,
  { appeared, gone }: StructureChange,
): StructureChange {
  const joined = (earlier: Names, later: Names): Names => [...new Set([...earlier, ...later])].sort()
  return { appeared: joined(before?.appeared ?? [], appeared), gone: joined(before?.gone ?? [], gone) }
}

const SHOWN_NAMES = 10

/** Text of a change: `appeared: a, b; gone: c`. */
export function structureChangeText({ appeared, gone }: StructureChange): string {
  const list = (what: string, names: Names): string[] =>
    names.length === 0 ? [] : [`${what}: ${listText(names.slice(0, SHOWN_NAMES), names.length)}`]
  return [...list('appeared', appeared), ...list('gone', gone)].join('; ')
}
