import { userInfo } from 'node:os'
import { program } from '../../contracts/program.ts'
import { spanOfInstant } from '../../domain/instant.ts'
import { listText } from '../../domain/list-text.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { APPROVED, type ApprovalReason, type Approved, approve, isHeld } from '../../ingest/accept/held.ts'
import { ParserProcess, parsedApart } from '../../ingest/parser/parser-process.ts'
import {
  approvedInputs,
  heldInputs,
  type RejectedInput,
  type Retried,
  rejectedInput,
  rejectedInputs,
  retryInput,
  wholeInputs,
} from '../../ingest/quarantine.ts'
import { tallyText } from '../../ingest/run.ts'
import { openSources } from '../../ingest/sources/index.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { parsed } from '../arguments.ts'
import { type Command, interruptSignal, print, printJsonLines, printList, UsageError } from '../command.ts'
import { withoutControls } from '../ingest-report.ts'
import { withJournal } from '../parts.ts'

export const command: Command = {
  usage: `${program} quarantine list [--held] [--source NAME] [--reason CODE] [--since TIME] [--json]
${program} quarantine show INPUT_ID [--raw]
${program} quarantine retry INPUT_ID… | --source NAME [--reason CODE] [--since TIME]
${program} quarantine approve INPUT_ID… --because TEXT [--by NAME]

\`list\` prints the rejected inputs that the journal has, oldest first: when, source, reason, place and id. TIME is RFC 3339 or a date (UTC).
--held prints only implausible figures and prices that wait for review. --json prints one object a line.
\`show\` prints one input with its bytes, as text or, if they are not UTF-8, in hexadecimal. --raw prints the bytes alone.
An id may be shortened to its first characters, eight at least.
\`retry\` reads rejected documents again with the reader of this release. What is accepted now is written like that of any document, once.
What is still rejected is said, and gets no second entry. Only whole documents can be read again: of a rejected row the journal keeps the row
alone, so run \`${program} ingest\` with its document.
\`approve\` accepts figures and prices that are held (their reason begins with held_), because you say that they are right. Who, why and when is recorded
in the journal with them. TEXT is public: it is shown where the figures come from. NAME is not; it is the user of this machine unless you
name another one.
Exit code 0: everything was accepted. 3: something is still rejected, or is not held.`,
  async run(args, config) {
    const { values, positionals } = parsed(args, {
      source: { type: 'string' },
      reason: { type: 'string' },
      since: { type: 'string' },
      json: { type: 'boolean', default: false },
      raw: { type: 'boolean', default: false },
      held: { type: 'boolean', default: false },
      because: { type: 'string' },
      by: { type: 'string' },
    })
    const [action, ...ids] = positionals
    const filter = {
      ...(values.source === undefined ? {} : { source: values.source }),
      ...(values.reason === undefined ? {} : { reason: values.reason }),
      ...(values.since === undefined ? {} : { since: timeOf(values.since) }),
    }
    const isUsed = {
      list: ids.length === 0,
      show: ids.length === 1,
      retry: ids.length > 0 !== 'source' in filter,
      approve: ids.length > 0,
    }
    if (!action || !Object.hasOwn(isUsed, action) || !isUsed[action as keyof typeof isUsed]) {
      throw new UsageError(
        `use \`${program} quarantine list\`, \`show INPUT_ID\`, \`retry\` with ids or --source, or \`approve\` with ids`,
      )
    }
    const taken = action === 'retry' && ids.length > 0 ? [] : options[action as keyof typeof options]
    const foreign = Object.keys(values).find(
      (name) => isGiven(values[name as keyof typeof values]) && !taken.includes(name),
    )
    if (foreign !== undefined)
      throw new UsageError(`--${foreign} is not an option of \`${program} quarantine ${action}\``)
    const approval = action === 'approve' ? approvalOf(values) : undefined
    return withJournal(config, async (journal) => {
      if (action === 'list') {
        const inputs = values.held ? await heldInputs(journal, filter) : rejectedInputs(journal, filter)
        if (values.json) await printJsonLines(inputs)
        else await printList(linesOf(inputs), noneOf(values.held, Object.keys(filter)))
        return 0
      }
      const found = await idsOf(journal, ids)
      if (approval) return approveAll(journal, found, approval)
      if (action === 'show') return show(journal, found[0] ?? '', values.raw)
      for await (const { input_id, reason } of ids.length > 0 ? [] : rejectedInputs(journal, filter)) {
        if (!isHeld(reason) && reason !== APPROVED) found.push(input_id)
      }
      if (found.length === 0) print(noneOf(false, Object.keys(filter)))
      return retry(journal, found, await openSources(config))
    })
  },
}

/** The options of each action; `retry` takes them in the place of ids. */
const options: Readonly<Record<'list' | 'show' | 'retry' | 'approve', readonly string[]>> = {
  list: ['held', 'source', 'reason', 'since', 'json'],
  show: ['raw'],
  retry: ['source', 'reason', 'since'],
  approve: ['because', 'by'],
}
const isGiven = (value: string | boolean | undefined): boolean => value !== undefined && value !== false

/** What a list says without entries. */
function noneOf(isHeld: boolean, filters: readonly string[]): string {
  const kind = isHeld ? 'held' : 'rejected'
  if (filters.length > 0)
    return `no ${kind} input matches: list them without ${filters.map((name) => `--${name}`).join(' and ')}`
  return isHeld
    ? 'Nothing is held for review. Implausible figures and prices would be listed here.'
    : `No rejected inputs. Whatever the schedule, \`${program} ingest\` or a price feed cannot accept is listed here.`
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
    if (text.length < SHORTEST_ID)
      throw new UsageError(
        `${JSON.stringify(text)} is too short: write at least the first ${SHORTEST_ID} characters of the id`,
      )
    const matching = [...known].filter((id) => id.startsWith(text))
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
/** Reasons that `approve` prints of one input. */
const SHOWN_FAULTS = 5

async function* linesOf(inputs: AsyncIterable<RejectedInput> | Iterable<RejectedInput>): AsyncGenerator<string> {
  for await (const input of inputs) yield lineOf(input)
}

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
  all: Awaited<ReturnType<typeof openSources>>,
): Promise<number> {
  const interrupted = interruptSignal()
  const parser = new ParserProcess()
  const sources = Object.values(parsedApart(all, parser))
  const approved = await approvedInputs(journal)
  const acceptor = new Acceptor(journal)
  let isAccepted = true
  try {
    for await (const found of wholeInputs(journal, new Set(ids))) {
      const retried = await retryInput(found, { sources, approved }, acceptor, interrupted)
      print(`${found.input.input_id.slice(0, SHOWN_ID)}  ${outcomeText(retried, found.input)}`)
      if (!isSettled(retried)) isAccepted = false
    }
  } finally {
    parser.close()
  }
  return isAccepted ? 0 : 3
}

/** Whether nothing of an input is left to accept. */
const isSettled = (retried: Retried): boolean =>
  retried.outcome === 'accepted' ? retried.tally.rejected === 0 : retried.outcome === 'approved'

/** Throws UsageError unless a reason is given. */
function approvalOf({ because = '', by = '' }: { readonly because?: string; readonly by?: string }): ApprovalReason {
  if (because.trim() === '') throw new UsageError('say why they are right: --because "The office announced a new base"')
  return { because: because.trim(), by: by.trim() === '' ? userInfo().username : by.trim() }
}

async function approveAll(journal: TypedJournal, ids: readonly string[], approval: ApprovalReason): Promise<number> {
  const acceptor = new Acceptor(journal)
  let isAccepted = true
  for (const id of ids) {
    const found = await rejectedInput(journal, id)
    if (!found) continue
    const faults: string[] = []
    const approved = await approve(found, approval, acceptor, ({ reason, detail }) =>
      faults.push(`${reason}: ${detail}`),
    )
    print(`${id.slice(0, SHOWN_ID)}  ${approvalText(approved, found.input)}`)
    const shown = faults.slice(0, SHOWN_FAULTS).map(withoutControls)
    if (faults.length > 0) print(`  ${listText(shown, faults.length, '\n  ')}`)
    if (approved.outcome !== 'accepted' || approved.tally.rejected > 0) isAccepted = false
  }
  return isAccepted ? 0 : 3
}

function approvalText(approved: Approved, { reason, dataset, url }: RejectedInput): string {
  if (approved.outcome === 'accepted') return `approved: ${tallyText(approved.tally)}`
  if (reason === APPROVED) return 'not approved: this is an approval, not an input'
  return approved.outcome === 'not_held'
    ? `not approved: it was rejected (${withoutControls(reason)}), not held for review`
    : `not approved: the journal keeps only its beginning; run \`${program} ingest\` with parts of ${withoutControls(`${dataset} ${url}`)}`
}

function outcomeText(retried: Retried, { source, dataset, url }: RejectedInput): string {
  switch (retried.outcome) {
    case 'accepted':
      return `read: ${tallyText(retried.tally)}`
    case 'rejected':
      return `still rejected: ${retried.error.reason}: ${withoutControls(retried.error.message)}`
    case 'approval':
      return 'not read: this is an approval, not an input'
    case 'approved':
      return 'already approved: its figures or prices were accepted'
    case 'held':
      return `not read: its figures or prices are held for review; \`${program} quarantine approve\` accepts them`
    case 'unknown_source':
      return `not read: this release has no source ${withoutControls(source)}`
    case 'removed':
      return `not read: ${retried.detail}`
    default:
      return `not read: the journal keeps a row or a beginning of it; run \`${program} ingest\` with the document ${withoutControls(`${dataset} ${url}`)}`
  }
}
