import type { Message } from './frames.ts'
import { table } from './generated/transitions.ts'

/**
 * The life of a stream, as a pure function that interprets `clients/stream-transitions.json`. `clients/PROTOCOL.md` says
 * what states, inputs, guards and effects mean. The Python client has the same function, and the same traces test both.
 */
type State = (typeof table.states)[number]

export type Machine = {
  readonly state: State
  /** Place behind the last message that was delivered; null where the stream has none. */
  readonly cursor: string | null
  /** Sequence of the last event that was delivered. */
  readonly sequence: string | null
  /** Attempts to connect since data last came. Once the newest one has failed, these are the failures in a row. */
  readonly attempts: number
  readonly caught_up: boolean
  /** Whether a ticket was refused since data last came. */
  readonly ticket_refused: boolean
  /** The error whose close is awaited in `ending`. */
  readonly error: Message | null
}

export type MachineOptions = {
  readonly cursor: string | null
  readonly can_pause: boolean
  readonly uses_tickets: boolean
  /** What to do if the server says that the cursor's place is lost: fail, or continue at the cursor that it names. */
  readonly on_lost_place: 'fail' | 'resume'
  /** Attempts in a row that may fail; null: without end. */
  readonly max_attempts: number | null
  readonly first_ms: number
  readonly max_ms: number
}

export type MachineInput = {
  readonly on: string
  readonly message?: Message
  /** Close code, or code of a problem. */
  readonly code?: number | string
  readonly reason?: string
  readonly detail?: string
  readonly status?: number
  readonly retry_after_ms?: number
}

export type MachineFailure = {
  readonly code: string
  readonly detail: string
  readonly status: number | null
  readonly resume_cursor: string | null
}

export type MachineEffect =
  | { readonly do: 'connect' | 'close' | 'pause' | 'resume' | 'finish' }
  | { readonly do: 'subscribe'; readonly cursor: string | null }
  | { readonly do: 'timer'; readonly ms: number }
  | { readonly do: 'deliver'; readonly cursor: string | null; readonly message: Message }
  | { readonly do: 'mark'; readonly cursor: string; readonly caught_up: boolean }
  | { readonly do: 'moved'; readonly code: string; readonly cursor: string }
  | ({ readonly do: 'fail' } & MachineFailure)

export const initialMachine = ({ cursor }: Pick<MachineOptions, 'cursor'>): Machine => ({
  state: 'idle',
  cursor,
  sequence: null,
  attempts: 0,
  caught_up: false,
  ticket_refused: false,
  error: null,
})

type Situation = { readonly machine: Machine; readonly input: MachineInput; readonly options: MachineOptions }
type Verdict = { readonly verdict: string; readonly code?: string; readonly place?: string; readonly wait_ms?: number }
type Row = { readonly if?: string; readonly to: State; readonly do: readonly string[] }

const errors: ReadonlyMap<string, Verdict> = new Map(Object.entries(table.errors))
const closes: ReadonlyMap<string, Verdict> = new Map(Object.entries(table.closes))
const timers: ReadonlyMap<string, number> = new Map(Object.entries(table.timers))
const refusals: readonly number[] = table.refusals
const RETRY: Verdict = { verdict: 'retry' }

/** The rows of the table by state and input, in their order. */
const rows = new Map<string, Row[]>()
for (const { in: states, on, ...row } of table.transitions) {
  for (const state of states) {
    for (const input of [on].flat()) {
      const key = `${state} ${input}`
      const others = rows.get(key)
      // A cast, because a state of a row is a state of the table: `test/clients/table.test.ts` checks it.
      if (others) others.push(row as Row)
      else rows.set(key, [row as Row])
    }
  }
}

/** Takes an input. `random` is a number from 0 up to 1, drawn anew for each call. */
export function stepMachine(
  machine: Machine,
  input: MachineInput,
  options: MachineOptions,
  random: number,
): { readonly machine: Machine; readonly effects: readonly MachineEffect[] } {
  const situation = { machine, input, options }
  const row = rows
    .get(`${machine.state} ${input.on}`)
    ?.find((candidate) => candidate.if === undefined || guards[candidate.if]?.(situation))
  if (!row) return { machine, effects: [] }
  const effects: MachineEffect[] = []
  let next: Machine = { ...machine, state: row.to }
  for (const action of row.do) {
    const [name = '', argument = ''] = action.split(':')
    next =
      actions[name]?.({ machine: next, input, options }, (effect) => effects.push(effect), argument, random) ?? next
  }
  return { machine: next, effects }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Cursor of a message, or of the event in it. */
function cursorOf(message: Message | undefined): string | null {
  const event = eventOf(message)
  return text(event ? event.cursor : message?.cursor)
}

function eventOf(message: Message | undefined): Readonly<Record<string, unknown>> | undefined {
  const event = message?.event
  // A cast, because the type of an object does not say what members it may have.
  return typeof event === 'object' && event !== null ? (event as Record<string, unknown>) : undefined
}

/** The code of an error: of its message, or the word that the reason of a close begins with. */
function codeOf({ machine, input }: Situation): string {
  if (input.on === 'error') return String(input.message?.code)
  const [word = ''] = /^\w*/.exec(input.reason ?? '') ?? []
  return errors.has(word) ? word : (text(machine.error?.code) ?? '')
}

const verdictOf = (situation: Situation): Verdict =>
  errors.get(codeOf(situation)) ?? closes.get(String(situation.input.code)) ?? RETRY

const resumeCursorOf = ({ machine, input }: Situation): string | null =>
  text((input.message ?? machine.error)?.resume_cursor)

const guards: Readonly<Record<string, (situation: Situation) => boolean>> = {
  is_repeated({ machine, input }) {
    const sequence = text(eventOf(input.message)?.sequence)
    return sequence !== null && machine.sequence !== null && sequence <= machine.sequence
  },
  can_pause: ({ options }) => options.can_pause,
  is_unknown: (situation) => !errors.has(codeOf(situation)),
  is_fatal: (situation) => verdictOf(situation).verdict === 'fail',
  may_resume_elsewhere: (situation) =>
    verdictOf(situation).place === 'lost' &&
    resumeCursorOf(situation) !== null &&
    situation.options.on_lost_place === 'resume',
  is_spent_ticket: (situation) =>
    codeOf(situation) === 'unauthorized' && situation.options.uses_tickets && !situation.machine.ticket_refused,
  is_fatal_refusal: ({ input }) => input.status !== undefined && refusals.includes(input.status),
  gives_up: ({ machine, options }) => options.max_attempts !== null && machine.attempts >= options.max_attempts,
}

type Action = (situation: Situation, emit: (effect: MachineEffect) => void, argument: string, random: number) => Machine

function moveTo(
  machine: Machine,
  cursor: string | null,
  caughtUp: boolean,
  emit: (effect: MachineEffect) => void,
): Machine {
  if (cursor === null) return { ...machine, caught_up: caughtUp }
  emit({ do: 'mark', cursor, caught_up: caughtUp })
  return { ...machine, cursor, caught_up: caughtUp }
}

/** An action that only has an effect. */
const always =
  (effect: MachineEffect): Action =>
  ({ machine }, emit) => {
    emit(effect)
    return machine
  }

const actions: Readonly<Record<string, Action>> = {
  connect({ machine }, emit) {
    emit({ do: 'connect' })
    return { ...machine, attempts: machine.attempts + 1 }
  },
  close: always({ do: 'close' }),
  pause: always({ do: 'pause' }),
  resume: always({ do: 'resume' }),
  finish: always({ do: 'finish' }),
  timer({ machine }, emit, name) {
    emit({ do: 'timer', ms: timers.get(name) ?? 0 })
    return machine
  },
  subscribe({ machine }, emit) {
    emit({ do: 'subscribe', cursor: machine.cursor })
    return machine
  },
  take_place: ({ machine, input }, emit) => moveTo(machine, cursorOf(input.message), false, emit),
  mark: ({ machine, input }, emit) => moveTo(machine, cursorOf(input.message), machine.caught_up, emit),
  catch_up: ({ machine, input }, emit) => moveTo(machine, cursorOf(input.message), true, emit),
  fall_behind: ({ machine }) => ({ ...machine, caught_up: false }),
  progress: ({ machine }) => ({ ...machine, attempts: 0, ticket_refused: false, error: null }),
  deliver({ machine, input: { message } }, emit) {
    if (!message) return machine
    const cursor = cursorOf(message)
    emit({ do: 'deliver', cursor, message })
    return { ...machine, cursor: cursor ?? machine.cursor, sequence: text(eventOf(message)?.sequence) }
  },
  remember: ({ machine, input }) => ({ ...machine, error: input.message ?? null }),
  note_ticket: ({ machine }) => ({ ...machine, ticket_refused: true }),
  move_place(situation, emit) {
    const cursor = resumeCursorOf(situation)
    if (cursor === null) return situation.machine
    emit({ do: 'moved', code: codeOf(situation), cursor })
    return { ...situation.machine, cursor, sequence: null, error: null }
  },
  back_off(situation, emit, _, random) {
    const { machine, input, options } = situation
    const asked = input.message?.reconnect_in_ms
    const floor = Math.max(
      typeof asked === 'number' ? asked : 0,
      input.retry_after_ms ?? 0,
      verdictOf(situation).wait_ms ?? 0,
    )
    const spread = Math.min(options.max_ms, options.first_ms * 2 ** Math.min(machine.attempts, 30))
    emit({ do: 'timer', ms: Math.floor(floor + random * spread) })
    return { ...machine, caught_up: false, error: null }
  },
  fail(situation, emit) {
    emit({ do: 'fail', ...failureOf(situation) })
    return situation.machine
  },
}

/** The error that the consumer gets. It has a code of the client where the server gave none. */
function failureOf(situation: Situation): MachineFailure {
  const { input, machine } = situation
  const { on, status = null } = input
  const resume_cursor = resumeCursorOf(situation)
  if (on === 'malformed') {
    return { code: 'protocol_error', detail: 'The server sent a frame that is no message.', status, resume_cursor }
  }
  if (on === 'timeout')
    return { code: 'timed_out', detail: 'The server did not answer in time.', status, resume_cursor }
  if (on === 'refused') {
    return { code: text(input.code) ?? 'refused', detail: input.detail ?? 'No connection.', status, resume_cursor }
  }
  const code = codeOf(situation) || verdictOf(situation).code || 'connection_lost'
  const reason = (input.reason ?? '').replace(/^\w+: /, '')
  const detail = text((input.message ?? machine.error)?.detail) ?? reason
  return { code, detail, status: typeof input.code === 'number' ? input.code : null, resume_cursor }
}
