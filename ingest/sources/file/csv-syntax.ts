import { readTable } from '../../read/csv.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { type FileRow, isRequired, kinds, type Members, memberNames, type Opening, unknownMember } from './members.ts'

const headLine = /^#\s*([a-z_0-9]+)\s*:\s*(.*)$/

/** Reads the members of lines `# member: value`. A member without a value counts as absent. */
export function readCsvHead(lines: readonly string[]): Members {
  const members = new Map<string, string>()
  for (const [i, line] of lines.entries()) {
    const [, member, value = ''] = headLine.exec(line) ?? []
    const location = `line ${i + 1}`
    if (member === undefined)
      throw new DocumentError('bad_head', `${JSON.stringify(line)} is not a line "# member: value".`, location)
    if (members.has(member))
      throw new DocumentError('duplicate_member', `${member} stands twice.`, `${location}, ${member}`)
    members.set(member, value)
  }
  return Object.fromEntries([...members].filter(([, value]) => value !== ''))
}

/** Number of the head's line that holds a member, from 1. */
export const headLineOf = (lines: readonly string[], member: string): number =>
  lines.findIndex((line) => headLine.exec(line)?.[1] === member) + 1

/** Reads the rows below a header row of members. An empty cell counts as an absent member. */
export function readCsvRows({ kind, members, body, firstLine }: Opening): (FileRow | Reject)[] {
  const { header, rows } = readTable(body, [], { firstLine })
  const refuse = (reason: string, detail: string, member: string) =>
    new DocumentError(reason, detail, `line ${firstLine}, ${member}`)
  for (const [i, name] of header.entries()) {
    if (!memberNames(kind).includes(name)) throw refuse('unknown_member', unknownMember(kind, name).detail, name)
    if (kinds[kind].headOnly.includes(name)) throw refuse('bad_member', `${name} must stand in the head.`, name)
    if (Object.hasOwn(members, name) || header.indexOf(name) !== i)
      throw refuse('duplicate_member', `${name} stands twice.`, name)
  }
  const missing = memberNames(kind).find(
    (name) => isRequired(kind, name) && !Object.hasOwn(members, name) && !header.includes(name),
  )
  if (missing) throw refuse('missing_member', `Neither head nor header row has ${missing}.`, missing)
  return rows.map((row) => {
    if (row.kind === 'reject') return row
    const own = header.map((name) => [name, row.cell(name)]).filter(([, value]) => value !== '')
    return { kind: 'row', line: row.line, text: row.text, members: { ...members, ...Object.fromEntries(own) } }
  })
}
