import { DocumentError, type Reject } from '../../source.ts'
import type { FormatReader, MessageObservation } from './observation.ts'
import { statedBy } from './sdmx-action.ts'
import { readGenericDataSet } from './sdmx-ml-generic.ts'
import { describedDataSet, noHeader, readHeader } from './sdmx-ml-header.ts'
import { readSpecificDataSet } from './sdmx-ml-specific.ts'
import { XmlCursor } from './xml-cursor.ts'

/**
 * SDMX-ML 2.1 and 3.0, generic and structure-specific, in any order of dimensions (time series, cross-section, flat);
 * and the generic and compact messages of 2.0. Source: https://github.com/sdmx-twg/sdmx-ml
 */
export const sdmxMl: FormatReader = {
  name: 'SDMX-ML',
  recognises: isSdmxMl,
  read: readSdmxMl,
}

type DataSetKind = 'generic' | 'structure-specific' | 'compact'
/** Kind of data set by name of the root element. */
const dataMessages: Readonly<Record<string, DataSetKind>> = {
  GenericData: 'generic',
  GenericTimeSeriesData: 'generic',
  StructureSpecificData: 'structure-specific',
  StructureSpecificTimeSeriesData: 'structure-specific',
  CompactData: 'compact',
}

/** Namespace of an SDMX-ML message, with its version. */
const messageNamespace = /sdmxml\/schemas\/v(\d)_(\d)\/message$/i

/** Tells whether the first element of `head` declares the namespace of SDMX-ML messages. */
function isSdmxMl(head: string): boolean {
  const [tag = ''] = /<[A-Za-z_][^>]*>/.exec(head.replace(/<!--.*?-->/gs, '')) ?? []
  return head.startsWith('<') && /sdmxml\/schemas\/v\d_\d\/message["']/i.test(tag)
}

function* readSdmxMl(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const cursor = new XmlCursor(text)
  let format = ''
  let kind: DataSetKind | undefined
  let hasDataSet = false
  for (const root of cursor.children()) {
    kind = Object.hasOwn(dataMessages, root.name) ? dataMessages[root.name] : undefined
    const [, major, minor] = root.namespaces.map((name) => messageNamespace.exec(name)).find((found) => found) ?? []
    format = `SDMX-ML ${major}.${minor} ${kind ?? root.name}`
    if (kind) yield* readMessage(cursor, kind, format)
    else hasDataSet = readOtherMessage(cursor)
  }
  if (kind) return
  if (!hasDataSet)
    throw new DocumentError('no_data_message', `The document is ${format}, a message without observations.`)
  throw new DocumentError(
    'unknown_format',
    `The document is ${format}, which is not read. Take the same data as a generic, compact or structure-specific message, or as SDMX-CSV.`,
  )
}

/** Reads a message whose data sets are of no kind that is read, such as a cross-section or a group of messages. Says whether it has one. */
function readOtherMessage(cursor: XmlCursor): boolean {
  let hasDataSet = false
  for (const tag of cursor.children()) {
    if (tag.name === 'DataSet') hasDataSet = true
    else if (tag.name === 'Footer' || tag.name === 'ErrorMessage') refuseErrors(cursor, tag.name, 0)
  }
  return hasDataSet
}

function* readMessage(cursor: XmlCursor, kind: DataSetKind, format: string): Generator<MessageObservation | Reject> {
  let header = noHeader
  let count = 0
  for (const tag of cursor.children()) {
    if (tag.name === 'Header') header = readHeader(cursor)
    else if (tag.name === 'Footer' || tag.name === 'ErrorMessage') refuseErrors(cursor, tag.name, count)
    else if (tag.name === 'DataSet') {
      const described = describedDataSet(header, tag, format)
      const action = tag.attributes.action ?? tag.prefixed.action ?? header.action
      const read = kind === 'generic' ? readGenericDataSet : readSpecificDataSet
      for (const found of read(cursor, described, tag)) {
        count++
        const stated = statedBy(action, found)
        if (stated) yield stated
      }
    }
  }
}

/**
 * Reads the messages of a footer, or of an error message. Throws `DocumentError` `publisher_error` with their texts if
 * they report an error, or come instead of data, as Eurostat's answers to too large requests do.
 */
function refuseErrors(cursor: XmlCursor, name: string, count: number): void {
  const texts: string[] = []
  let isError = name === 'ErrorMessage'
  const onText = () => texts.push(cursor.content())
  cursor.content(({ attributes }) => {
    if (name === 'ErrorMessage') onText()
    else {
      isError ||= attributes.severity === 'Error'
      if (attributes.code !== undefined) texts.push(`code ${attributes.code}`)
      cursor.content(onText)
    }
  })
  if (isError || (count === 0 && texts.length > 0))
    throw new DocumentError('publisher_error', `The publisher answered: ${texts.join('; ')}`)
}
