import { program } from '../../contracts/program.ts'
import { spanOfInstant } from '../../domain/instant.ts'
import { Acceptor } from '../../ingest/accept.ts'
import { ParserProcess, parsedApart } from '../../ingest/parser/parser-process.ts'
import {
  type RejectedInput,
  type Retried,
  rejectedInput,
  rejectedInputs,
  retryInput,
  wholeInputs,
} from '../../ingest/quarantine.ts'
import { openSources } from '../../ingest/sources/index.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { parsed } from '../arguments.ts'
import { type Command, print, UsageError } from '../command.ts'
import { tallyText, withoutControls } from '../ingest-report.ts'
import { openJournal } from '../parts.ts'

export const command: Command = {
  summary: 'Lists and shows rejected inputs, and reads them again',
  usage: `${program} quarantine list [--source NAME] [--reason CODE] [--since TIME] [--json]
${program} quarantine show INPUT_ID [--raw]
${program} quarantine retry INPUT_ID… | --source NAME

\`list\` prints the rejected inputs that the journal has, oldest first: when, source, reason, place and id. TIME is RFC 3339 or a date (UTC).
--json prints one object a line.
\`show\` prints one input with its bytes, as text or, if they are not UTF-8, in hexadecimal. --raw prints the bytes alone.
An id may be shortened to its first characters, eight at least.
\`retry\` reads rejected documents again with the reader of this release. What is accepted now is written like that of any document, once.
What is still rejected is said, and gets no second entry. Only whole documents can be read again: of a rejected row the journal keeps the row
alone, so run \`${program} ingest\` with its document. Exit code 0: everything was accepted. 3: something is still rejected.`,
  async run(args, config) {
    const { values, positionals } = parsed(args, {
      source: { type: 'string' },
      reason: { type: 'string' },
      since: { type: 'string' },
      json: { type: 'boolean', default: false },
      raw: { type: 'boolean', default: false },
    })
    const [action, ...ids] = positionals
    const filter = {
      ...(values.source === undefined ? {} : { source: values.source }),
      ...(values.reason === undefined ? {} : { reason: values.reason }),
      ...(values.since === undefined ? {} : { since: timeOf(values.since) }),
    }
    const isUsed = { list: ids.length === 0, show: ids.length === 1, retry: ids.length > 0 !== 'source' in filter }
    if (!action || !Object.hasOwn(isUsed, action) || !isUsed[action as keyof typeof isUsed]) {
      throw new UsageError(`use \`${program} quarantine list\`, \`show INPUT_ID\`, or \`retry\` with ids or --source`)
    }
    const journal = await openJournal(config)
    try {
      if (action === 'list') {
        for await (const input of rejectedInputs(journal, filter)) {
          print(values.json ? JSON.stringify(input) : lineOf(input))
        }
        return 0
      }
      const found = await idsOf(journal, ids)
      if (action === 'show') return await show(journal, found[0] ?? '', values.raw)
      for await (const { input_id } of ids.length > 0 ? [] : rejectedInputs(journal, filter)) found.push(input_id)
      return await retry(journal, found, openSources(config))
    } finally {
      await journal.close()
    }
  },
}

function timeOf(text: string): number {
  const span = spanOfInstant(text)
  if (!span) throw new UsageError(`--since takes a date or an instant (RFC 3339), not ${JSON.stringify(text)}`)
  return span.first
}

/** Shortest beginning of an id that stands for it. */
const SHORTEST_ID = 8

/** The whole ids that begin with the given texts. Throws UsageError unless each stands for exactly one. */
async function idsOf(journal: TypedJournal, given: readonly string[]): Promise<string[]> {
  const known = new Set<string>()
  if (given.length > 0) for await (const { input_id } of rejectedInputs(journal)) known.add(input_id)
  return given.map((text) => {
    const matching = text.length < SHORTEST_ID ? [] : [...known].filter((id) => id.startsWith(text))
    const [only] = matching
    if (only !== undefined && matching.length === 1) return only
    throw new UsageError(
      matching.length > 1
        ? `${text} is the beginning of ${matching.length} ids: write more of it`
        : `no rejected input has the id ${JSON.stringify(text)}; \`${program} quarantine list\` has them all`,
    )
  })
}

/** Characters of an id that a line shows: enough to tell inputs apart. */
const SHOWN_ID = 16

const lineOf = ({ recorded_at, source, reason, location, detail, url, input_id }: RejectedInput): string =>
  [
    recorded_at,
    input_id.slice(0, SHOWN_ID),
    ...[source, reason, location === '' ? 'whole document' : location, url, detail].map(withoutControls),
  ].join('  ')

async function show(journal: TypedJournal, id: string, isRaw: boolean): Promise<number> {
  const found = await rejectedInput(journal, id)
  if (!found) throw new UsageError(`the input ${id} is no longer kept`)
  const { input, bytes } = found
  if (isRaw) {
    process.stdout.write(bytes)
    return 0
  }
  for (const [name, value] of Object.entries(input)) print(`${name.padEnd(13)} ${withoutControls(String(value))}`)
  print(`bytes         ${bytes.length}\n\n${bytesText(bytes)}`)
  return 0
}

/** Bytes as text with control characters escaped, line by line; in hexadecimal if they are not UTF-8. */
function bytesText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.replace(/[^\P{Cc}\n\t]/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`)
  } catch {
    // Not UTF-8, which the decoder reports by throwing.
    return Buffer.from(bytes).toString('hex').replace(/.{64}/g, '$&\n')
  }
}

async function retry(
  journal: TypedJournal,
  ids: readonly string[],
  all: ReturnType<typeof openSources>,
): Promise<number> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new UsageError('interrupted; run it again to continue')))
  const parser = new ParserProcess()
  const sources = Object.values(parsedApart(all, parser))
  const acceptor = new Acceptor(journal)
  let isAccepted = true
  try {
    for await (const found of wholeInputs(journal, new Set(ids))) {
      const retried = await retryInput(found, sources, acceptor, stop.signal)
      print(`${found.input.input_id.slice(0, SHOWN_ID)}  ${outcomeText(retried, found.input)}`)
      if (retried.outcome !== 'accepted' || retried.tally.rejected > 0) isAccepted = false
    }
  } finally {
    parser.close()
  }
  return isAccepted ? 0 : 3
}

function outcomeText(retried: Retried, { source, dataset, url }: RejectedInput): string {
  switch (retried.outcome) {
    case 'accepted':
      return `read: ${tallyText(retried.tally)}`
    case 'rejected':
      return `still rejected: ${retried.error.reason}: ${withoutControls(retried.error.message)}`
    case 'unknown_source':
      return `not read: this release has no source ${withoutControls(source)}`
    default:
      return `not read: the journal keeps a row or a beginning of it; run \`${program} ingest\` with the document ${withoutControls(`${dataset} ${url}`)}`
  }
}
