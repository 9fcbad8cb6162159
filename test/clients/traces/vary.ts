/**
 * Makes the generated traces of `clients/traces`: `npm run clients:vary`. A seeded program plays the server and the
 * network of the recorded replay: it cuts, refuses, fills, stops and delays at drawn places, and answers each subscribe
 * with the recorded events from that cursor on.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  initialMachine,
  type MachineEffect,
  type MachineOptions,
  stepMachine,
} from '../../../clients/typescript/src/machine.ts'
import { randomFrom } from '../../support/random.ts'
import { inputOf, messageOf, readTraces, type Trace, type TraceInput, traceOf, writeTrace } from './trace.ts'

const TRACES = 300
const table = JSON.parse(readFileSync(join(import.meta.dirname, '../../../clients/stream-transitions.json'), 'utf8'))
const codes: readonly string[] = Object.keys(table.errors)
const placeCodes = codes.filter((code) => table.errors[code].place === 'lost')

type Draw = {
  readonly below: (end: number) => number
  readonly chance: (probability: number) => boolean
  readonly of: <T>(list: readonly T[]) => T
}
function drawFrom(seed: number): Draw {
  const random = randomFrom(seed)
  const below = (end: number) => Math.floor(random() * end)
  return {
    below,
    chance: (probability) => random() < probability,
    of(list) {
      const item = list[below(list.length)]
      if (item === undefined) throw new Error('nothing to draw from')
      return item
    },
  }
}

const frame = (message: object): TraceInput => ({ frame: JSON.stringify(message) })
const goingAway = frame({ type: 'notice', code: 'going_away', reconnect_in_ms: 1_000 })
const frames = (trace: Trace) =>
  trace.steps.flatMap(({ input }) => ('frame' in input && input.frame !== null ? [input.frame] : []))

/** What the recorded server had: the event frames of the replay and the place before them; or the prices. */
type Recorded = { readonly data: readonly string[]; readonly start: string | null }

function recordedOf(name: string): Recorded {
  const trace = readTraces().find((one) => one.name === name)
  if (!trace) throw new Error(`there is no trace ${name}: record first`)
  const all = frames(trace)
  const subscribed = all.map(messageOf).find(({ type }) => type === 'subscribed')
  return {
    data: all.filter((text) => ['event', 'commodity', 'fx', 'prediction'].includes(messageOf(text).type)),
    start: typeof subscribed?.cursor === 'string' ? subscribed.cursor : null,
  }
}

const cursorOf = (text: string | undefined): string | null => {
  const event = text === undefined ? undefined : (messageOf(text).event as { cursor: string } | undefined)
  return event?.cursor ?? null
}

/** The far side of one connection, at a place in the recorded data. */
class World {
  readonly #draw: Draw
  readonly #recorded: Recorded
  #next = 0
  /** What was sent on any connection. */
  readonly #sent: string[] = []

  constructor(draw: Draw, recorded: Recorded) {
    this.#draw = draw
    this.#recorded = recorded
  }

  /** Cursor of the next event. */
  get #place(): string | null {
    return this.#next === 0 ? this.#recorded.start : cursorOf(this.#recorded.data[this.#next - 1])
  }

  subscribed(cursor: string | null): TraceInput {
    const { data, start } = this.#recorded
    const known = data.findIndex((text) => cursor !== null && cursorOf(text) === cursor)
    // Prices begin anew on each connection; `earliest` is the start.
    this.#next = known + 1
    return frame(
      start === null
        ? { type: 'subscribed' }
        : { type: 'subscribed', cursor: this.#place, countries: null, families: [], types: null },
    )
  }

  /** What arrives in an open stream. */
  inStream(canBeFull: boolean): TraceInput {
    const draw = this.#draw
    const { data, start } = this.#recorded
    const next = data[this.#next]
    if (next !== undefined && draw.chance(0.62)) {
      this.#next++
      this.#sent.push(next)
      return { frame: next }
    }
    const cursor = start === null ? {} : { cursor: this.#place }
    const kinds: (() => TraceInput)[] = [
      () => frame({ type: 'heartbeat', as_of: '2026-11-20T12:00:00.000Z', ...cursor }),
      () => frame({ type: 'pong' }),
      () => frame({ type: 'of_tomorrow', cursor: 'x' }),
      () => frame({ type: 'notice', code: 'of_tomorrow' }),
      () => frame({ type: 'notice', code: 'going_away', ...cursor, reconnect_in_ms: draw.of([0, 1_000, 2_500]) }),
      () => ({ on: 'timeout' }),
      () => ({ on: 'closed', code: draw.of([1000, 1001, 1005, 1006, 1006, 1011, 1012]), reason: '' }),
      () => this.error(),
      () => this.closedFor(),
    ]
    if (canBeFull)
      kinds.push(
        () => ({ on: 'full' }),
        () => ({ on: 'full' }),
      )
    if (start !== null) {
      kinds.push(
        () => frame({ type: 'checkpoint', ...cursor }),
        () => frame({ type: 'notice', code: 'falling_behind', ...cursor }),
        // A server that sends again what it sent before.
        () => (this.#sent.length > 0 ? { frame: draw.of(this.#sent) } : frame({ type: 'pong' })),
      )
      if (next === undefined) kinds.push(() => frame({ type: 'caught_up', ...cursor }))
    }
    if (draw.chance(0.03))
      return draw.of<TraceInput>([{ frame: null }, { frame: 'half a mess' }, { frame: '[]' }, { on: 'stop' }])
    return draw.of(kinds)()
  }

  error(from: readonly string[] = codes): TraceInput {
    const code = this.#draw.chance(0.12) ? 'of_tomorrow' : this.#retryable(from)
    const place = placeCodes.includes(code) ? { resume_cursor: this.#recorded.start } : {}
    const detail = this.#draw.chance(0.5) ? { detail: 'What was wrong, and where.' } : {}
    return frame({ type: 'error', code, ...detail, ...place })
  }

  /** Mostly a code that lets the trace go on. */
  #retryable(from: readonly string[]): string {
    const passing = from.filter((code) => table.errors[code].verdict === 'retry')
    return this.#draw.of(passing.length > 0 && this.#draw.chance(0.8) ? passing : from)
  }

  closedFor(): TraceInput {
    const draw = this.#draw
    const code = draw.of([4408, 4408, 4429, 4429, 4503, 4503, 4400, 4401, 4410, 4499, 1009, 1013])
    const word = draw.chance(0.5) ? `${this.#retryable(codes)}: A sentence.` : draw.of(['', 'of_tomorrow: What.'])
    return { on: 'closed', code, reason: word }
  }

  opening(): TraceInput {
    const draw = this.#draw
    return draw.of<() => TraceInput>([
      () => ({ on: 'refused', detail: 'connect ECONNREFUSED' }),
      () => ({
        on: 'refused',
        status: 503,
        retry_after_ms: draw.of([1_000, 5_000]),
        detail: 'The handshake was answered with status 503.',
      }),
      () => ({ on: 'refused', status: 429, code: 'rate_limited', retry_after_ms: 3_000, detail: 'Too many calls.' }),
      () => ({ on: 'refused', status: draw.of([400, 401, 403, 404, 500, 502]), detail: 'The handshake was refused.' }),
      () => ({ on: 'timeout' }),
    ])()
  }
}

function inputsOf(options: MachineOptions, random: number, draw: Draw, recorded: Recorded): TraceInput[] {
  const world = new World(draw, recorded)
  const inputs: TraceInput[] = []
  let machine = initialMachine(options)
  let isOpened = false
  let asked: MachineEffect | undefined
  const feed = (input: TraceInput) => {
    inputs.push(input)
    const next = stepMachine(machine, inputOf(input), options, random)
    machine = next.machine
    for (const effect of next.effects) {
      if (effect.do === 'connect') isOpened = false
      if (effect.do === 'subscribe') asked = effect
    }
  }
  const length = 12 + draw.below(44)
  while (inputs.length < length && machine.state !== 'closed' && machine.state !== 'failed') {
    switch (machine.state) {
      case 'idle':
        feed({ on: draw.chance(0.97) ? 'start' : 'stop' })
        break
      case 'connecting':
        if (draw.chance(0.15)) feed(isOpened ? world.error() : world.opening())
        else if (isOpened) feed(draw.chance(0.92) ? frame({ type: 'ready' }) : world.closedFor())
        else {
          isOpened = true
          feed({ on: 'opened' })
        }
        break
      case 'subscribing':
        if (draw.chance(0.88)) feed(world.subscribed(asked?.do === 'subscribe' ? asked.cursor : null))
        else
          feed(
            draw.chance(0.5)
              ? world.error(recorded.start === null ? codes : [...placeCodes, 'unavailable'])
              : { on: 'closed', code: 1006, reason: '' },
          )
        break
      case 'streaming':
        feed(world.inStream(true))
        break
      case 'paused':
        if (draw.chance(0.5)) feed(draw.chance(0.7) ? { on: 'low' } : { on: 'timeout' })
        else feed(draw.chance(0.05) ? goingAway : world.inStream(false))
        break
      case 'parked':
        feed({ on: draw.chance(0.98) ? 'low' : 'stop' })
        break
      case 'ending':
        feed(draw.chance(0.7) ? world.closedFor() : { on: 'timeout' })
        break
      case 'waiting':
        feed({ on: draw.chance(0.98) ? 'timeout' : 'stop' })
    }
  }
  // What comes late changes nothing.
  if (machine.state === 'closed' || machine.state === 'failed') {
    for (const input of [{ on: 'timeout' }, { on: 'closed', code: 1006, reason: '' }, { on: 'low' }]) feed(input)
  }
  return inputs
}

const replay = recordedOf('events-replay')
const prices = recordedOf('prices-current')
const existing = readTraces().filter(({ origin }) => origin === 'recorded').length
for (let seed = 1; seed <= TRACES - existing; seed++) {
  const draw = drawFrom(seed)
  const isEvents = draw.chance(0.85)
  const random = draw.below(1_000) / 1_000
  const options: MachineOptions = {
    cursor: isEvents ? draw.of(['earliest', replay.start, cursorOf(replay.data[2]), null]) : null,
    can_pause: draw.chance(0.7),
    uses_tickets: draw.chance(0.3),
    on_lost_place: draw.chance(0.5) ? 'resume' : 'fail',
    max_attempts: draw.chance(0.15) ? draw.of([1, 2, 5]) : null,
    first_ms: draw.of([100, 1_000, 1_500]),
    max_ms: draw.of([5_000, 30_000]),
  }
  const inputs = inputsOf(options, random, draw, isEvents ? replay : prices)
  const name = `generated-${String(seed).padStart(3, '0')}`
  const about = `The recorded ${isEvents ? 'events' : 'prices'}, with a network and a server drawn from the seed`
  writeTrace(traceOf({ name, about, origin: { seed }, options, random }, inputs))
}
