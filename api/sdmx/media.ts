import { ProblemError } from '../../contracts/problems.ts'
import { mediaRanges } from '../accept.ts'

/** A form of messages. Its version is a parameter of the media type. */
export type Format = { readonly type: string; readonly version?: string; readonly encoding?: string }

/** A format as `Accept` and `Content-Type` write it. Clients choose their reader by exactly this text. */
export const mediaTypeOf = ({ type, version }: Format): string => (version ? `${type};version=${version}` : type)

type Range = ReturnType<typeof mediaRanges>[number]

/** The styles of SDMX-CSV that are served: codes and no names, periods as they are, no columns of keys. */
const csvStyles: ReadonlyMap<string, string> = new Map([
  ['labels', 'id'],
  ['timeformat', 'original'],
  ['keys', 'none'],
])

/**
 * The first of the offered formats that an Accept header names with the highest quality. Wildcards, and names of XML of any
 * kind, mean the first one offered.
 *
 * @throws ProblemError `not_acceptable` if it allows none of them
 */
export function chosenFormat<F extends Format>(accept: string | undefined, offered: readonly F[]): F {
  const ranges = mediaRanges(accept?.trim() || '*/*')
  for (const range of ranges.toSorted((a, b) => b.q - a.q)) {
    const found = range.q > 0 && offered.find((format) => admits(range, format, format === offered[0]))
    if (found) return found
  }
  const styles = ' SDMX-CSV is served with labels=id, timeFormat=original and keys=none.'
  throw new ProblemError(
    'not_acceptable',
    `None of the formats in Accept is served here. Send one of: ${offered.map(mediaTypeOf).join(', ')}.${
      ranges.some(isStyled) ? styles : ''
    }`,
  )
}

/** Whether a range asks for a style of SDMX-CSV that is not served. */
const isStyled = ({ parameters }: Range): boolean =>
  [...csvStyles].some(([name, served]) => (parameters.get(name) ?? served) !== served)

function admits(range: Range, format: Format, isFirst: boolean): boolean {
  if (isStyled(range)) return false
  const { type, parameters } = range
  const version = parameters.get('version')?.replaceAll('"', '')
  if (type === format.type) return version === undefined || version === format.version
  const [family] = type.split('/*')
  const isGeneral = type === '*/*' || (type.endsWith('/*') && format.type.startsWith(`${family}/`))
  return isFirst && (isGeneral || plainXml.includes(type))
}

/** Names of XML of any kind. */
const plainXml = ['application/xml', 'text/xml']
