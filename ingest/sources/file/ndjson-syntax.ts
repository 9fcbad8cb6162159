import { rejectOf } from '../../read/items.ts'
import { isObject, type JsonObject, parseJson, printed } from '../../read/json.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { type FileRow, kinds, type Members, type Opening } from './members.ts'

/** Reads the members of one line's object, numbers as their source text. `null` and `""` count as an absent member. */
export function readJsonMembers(text: string, line: number): Members {
  const members = Object.entries(readObject(text, line)).map(([name, value]): [string, string] => {
    const shown = value === null ? '' : printed(value)?.trim()
    if (shown === undefined)
      throw new DocumentError('bad_member', `${name} is neither text nor a number.`, `line ${line}, ${name}`)
    return [name, shown]
  })
  return Object.fromEntries(members.filter(([, value]) => value !== ''))
}

/** Reads one object per line. A bad line becomes a `Reject` and leaves the others alone. */
export function readNdjsonRows({ kind, members, body, firstLine }: Opening): (FileRow | Reject)[] {
  return body.split('\n').flatMap((text, i): (FileRow | Reject)[] => {
    const line = firstLine + i
    if (text.trim() === '') return []
    try {
      const own = readJsonMembers(text, line)
      const fixed = Object.keys(own).find((name) => Object.hasOwn(members, name) || kinds[kind].headOnly.includes(name))
      if (fixed === undefined) return [{ kind: 'row', line, text, members: { ...members, ...own } }]
      return [rejectOf('duplicate_member', `${fixed} is a member of the head.`, `line ${line}, ${fixed}`, text)]
    } catch (error) {
      if (error instanceof DocumentError) return [rejectOf(error.reason, error.message, error.location, text)]
      throw error
    }
  })
}

function readObject(text: string, line: number): JsonObject {
  try {
    const json = parseJson(text)
    if (isObject(json)) return json
  } catch (cause) {
    if (!(cause instanceof DocumentError)) throw cause
    throw new DocumentError(cause.reason, cause.message, `line ${line}`, { cause })
  }
  throw new DocumentError('malformed_json', 'The line is not a JSON object.', `line ${line}`)
}
