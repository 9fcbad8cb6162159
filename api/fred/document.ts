/** The documents of the FRED-style surface in the two forms of FRED: XML, the default, and JSON. */

import type { DayWindow } from '../../domain/real-time.ts'
import { type Answer, textAnswer } from '../answer.ts'
import type { Fields } from '../fields.ts'
import { inTurns, rowsATurn } from '../render.ts'
import { XML_HEAD, xmlAttributes, xmlText } from '../xml.ts'
import type { listPartOf } from './fields.ts'

const fileTypes = ['xml', 'json'] as const
type FileType = (typeof fileTypes)[number]

export const fileTypeOf = (fields: Fields): FileType => fields.chosen('file_type', fileTypes, 'xml')

export const contentTypes: Readonly<Record<FileType, string>> = {
  xml: 'text/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

type Members = Readonly<Record<string, string | number>>

type FredDocument = {
  /** Root of the XML, and name of the list in JSON. */
  readonly list: 'observations' | 'seriess' | 'vintage_dates'
  readonly item: 'observation' | 'series' | 'vintage_date'
  /** What is said of the whole list: attributes of the root in XML. */
  readonly window: DayWindow
  readonly head?: Members
  /** The part of the entries that is shown; left out: all of them. */
  readonly page?: ReturnType<typeof listPartOf> & { readonly orderBy: string }
  /** All entries, in their order. */
  readonly entries: readonly (Members | string)[]
}

/** Encodes a document. A long list is encoded in parts, so that other requests are answered between them. */
export async function encode(document: FredDocument, fileType: FileType): Promise<Answer> {
  const { list, item, window, page, entries: all } = document
  const entries = page ? all.slice(page.offset, page.offset + page.limit) : all
  const head = {
    realtime_start: window.start,
    realtime_end: window.end,
    ...document.head,
    ...(page && {
      order_by: page.orderBy,
      sort_order: page.order,
      count: all.length,
      offset: page.offset,
      limit: page.limit,
    }),
  }
  // All entries of a list have the same members.
  const aTurn = rowsATurn(Object.keys(entries[0] ?? {}).length)
  const body =
    fileType === 'json'
      ? `${JSON.stringify(head).slice(0, -1)},"${list}":[${(await inTurns(entries, (entry) => JSON.stringify(entry), aTurn)).join(',')}]}`
      : [
          XML_HEAD,
          `<${list}${xmlAttributes(head)}>`,
          ...(await inTurns(entries, xmlItem(item), aTurn)),
          `</${list}>`,
          '',
        ].join('\n')
  return textAnswer(body, contentTypes[fileType])
}

const xmlItem = (item: string) => (entry: Members | string) =>
  typeof entry === 'string' ? `<${item}>${xmlText(entry)}</${item}>` : `<${item}${xmlAttributes(entry)}/>`
