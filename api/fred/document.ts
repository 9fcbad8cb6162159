/** The documents of the FRED-style surface in the two forms of FRED: XML, the default, and JSON. */

import { type Answer, caching, etagOf } from '../answer.ts'
import { inTurns } from '../render.ts'
import { XML_HEAD, xmlAttributes, xmlText } from '../xml.ts'

export const fileTypes = ['xml', 'json'] as const
export type FileType = (typeof fileTypes)[number]

export const contentTypes: Readonly<Record<FileType, string>> = {
  xml: 'text/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

type Members = Readonly<Record<string, string | number>>

export type FredDocument = {
  /** Root of the XML, and name of the list in JSON. */
  readonly list: 'observations' | 'seriess' | 'vintage_dates'
  readonly item: 'observation' | 'series' | 'vintage_date'
  /** What is said of the whole list: attributes of the root in XML. */
  readonly head: Members
  readonly entries: readonly (Members | string)[]
}

/** Encodes a document. A long list is encoded in parts, so that other requests are answered between them. */
export async function encode({ list, item, head, entries }: FredDocument, fileType: FileType): Promise<Answer> {
  const body =
    fileType === 'json'
      ? `${JSON.stringify(head).slice(0, -1)},"${list}":[${(await inTurns(entries, (entry) => JSON.stringify(entry))).join(',')}]}`
      : [
          XML_HEAD,
          `<${list}${xmlAttributes(head)}>`,
          ...(await inTurns(entries, xmlItem(item))),
          `</${list}>`,
          '',
        ].join('\n')
  return { body, contentType: contentTypes[fileType], etag: etagOf(body), cacheControl: caching.latest }
}

const xmlItem = (item: string) => (entry: Members | string) =>
  typeof entry === 'string' ? `<${item}>${xmlText(entry)}</${item}>` : `<${item}${xmlAttributes(entry)}/>`
