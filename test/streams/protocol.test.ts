import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { streamLimits } from '../../contracts/streams.ts'
import { readFrame } from '../../streams/frame.ts'
import {
  initialState,
  type Phase,
  type ProtocolInput,
  type ProtocolState,
  phases,
  type Readers,
  step,
} from '../../streams/protocol.ts'

const text = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const frame = (value: unknown, isBinary = false): ProtocolInput => ({ type: 'frame', bytes: text(value), isBinary })

const readers: Readers<string> = {
  subscribe: ({ want }) =>
    typeof want === 'string' ? want : { refused: 'commodity_not_supported', detail: '/want is not served.' },
  ping: (message) =>
    Object.keys(message).length > 1 ? { refused: 'invalid_frame', detail: 'Unknown field /x.' } : undefined,
}

/** What happens, in one row a kind of input; a column a phase: the next phase, and what is done (an error by its code). */
const inputs: Readonly<Record<string, ProtocolInput>> = {
  admitted: { type: 'admitted' },
  'refused: unauthorized': { type: 'refused', code: 'unauthorized' },
  'refused: plan': { type: 'refused', code: 'plan_upgrade_required' },
  'refused: limit': { type: 'refused', code: 'stream_limit' },
  'refused: quota': { type: 'refused', code: 'quota_unavailable' },
  subscribe: frame({ action: 'subscribe', want: 'XAU' }),
  'subscribe, unserved': frame({ action: 'subscribe', want: 7 }),
  ping: frame({ action: 'ping' }),
  'ping with more': frame({ action: 'ping', x: 1 }),
  'not JSON': frame('{'),
  'binary ping': frame({ action: 'ping' }, true),
  'binary subscribe': frame({ action: 'subscribe', want: 'XAU' }, true),
  'binary, not JSON': frame('{', true),
  'binary, another action': frame({ action: 'unsubscribe' }, true),
  'another action': frame({ action: 'unsubscribe' }),
  subscribe_overdue: { type: 'subscribe_overdue' },
  heartbeat_due: { type: 'heartbeat_due' },
  stalled: { type: 'stalled' },
  revoked: { type: 'revoked' },
  unavailable: { type: 'unavailable' },
  going_away: { type: 'going_away' },
  failed: { type: 'failed', code: 'cursor_expired' },
  gone: { type: 'gone' },
}

const CLOSED = 'closed: '
const same = (phase: string) => `${phase}: `
const table: Readonly<
  Record<keyof typeof inputs, readonly [connecting: string, awaiting: string, subscribed: string]>
> = {
  admitted: ['awaiting_subscribe: ready', same('awaiting_subscribe'), same('subscribed')],
  'refused: unauthorized': ['closed: unauthorized', 'closed: unauthorized', 'closed: unauthorized'],
  'refused: plan': ['closed: plan_upgrade_required', 'closed: plan_upgrade_required', 'closed: plan_upgrade_required'],
  'refused: limit': ['closed: stream_limit', 'closed: stream_limit', 'closed: stream_limit'],
  'refused: quota': ['closed: quota_unavailable', 'closed: quota_unavailable', 'closed: quota_unavailable'],
  subscribe: [same('connecting'), 'subscribed: attach', 'closed: resubscribe_required'],
  'subscribe, unserved': [same('connecting'), 'closed: commodity_not_supported', 'closed: resubscribe_required'],
  ping: [same('connecting'), 'awaiting_subscribe: pong', 'subscribed: pong'],
  'ping with more': [same('connecting'), 'closed: invalid_frame', 'closed: invalid_frame'],
  'not JSON': [same('connecting'), 'closed: invalid_frame', 'closed: invalid_frame'],
  'binary ping': [same('connecting'), 'closed: invalid_frame', 'closed: invalid_frame'],
  'binary subscribe': [same('connecting'), 'closed: invalid_frame', 'closed: resubscribe_required'],
  'binary, not JSON': [same('connecting'), 'closed: invalid_frame', 'closed: invalid_frame'],
  'binary, another action': [same('connecting'), 'closed: invalid_command', 'closed: invalid_command'],
  'another action': [same('connecting'), 'closed: invalid_command', 'closed: invalid_command'],
  subscribe_overdue: [same('connecting'), 'closed: subscribe_required', same('subscribed')],
  heartbeat_due: [same('connecting'), same('awaiting_subscribe'), 'subscribed: heartbeat'],
  stalled: [same('connecting'), 'closed: slow_consumer', 'closed: slow_consumer'],
  revoked: ['closed: revoked', 'closed: revoked', 'closed: revoked'],
  unavailable: ['closed: unavailable', 'closed: unavailable', 'closed: unavailable'],
  going_away: ['closed: leave', 'closed: leave', 'closed: leave'],
  failed: ['closed: cursor_expired', 'closed: cursor_expired', 'closed: cursor_expired'],
  gone: [CLOSED, CLOSED, CLOSED],
}

const outcome = (state: ProtocolState, input: ProtocolInput): string => {
  const [next, effects] = step(state, input, readers)
  return `${next.phase}: ${effects.map((effect) => String(effect.type === 'fail' ? effect.code : effect.type)).join(' ')}`
}

describe('the life of a connection', () => {
  it.each(Object.keys(inputs))('every phase: %s', (name) => {
    const input = inputs[name] as ProtocolInput
    const row = [...(table[name] ?? []), CLOSED]
    expect(phases.map((phase: Phase) => outcome({ ...initialState, phase }, input))).toEqual(row)
  })

  it('counts frames before it reads them: the 31st ends it, whatever it is', () => {
    let state: ProtocolState = { ...initialState, phase: 'awaiting_subscribe' }
    for (let i = 0; i < streamLimits.clientFrames; i++) [state] = step(state, frame({ action: 'ping' }), readers)
    expect(state.phase).toBe('awaiting_subscribe')
    expect(outcome(state, frame({ action: 'subscribe', want: 'XAU' }))).toBe('closed: command_limit')
    expect(outcome(state, frame('{', true))).toBe('closed: command_limit')
  })

  it('reads frames that came before the admission as if they had come after it', () => {
    const frames = fc.constantFrom(...Object.values(inputs).filter(({ type }) => type === 'frame'))
    fc.assert(
      fc.property(fc.array(frames, { maxLength: 40 }), fc.nat(40), (sent, before) => {
        const outcomeOf = (order: readonly ProtocolInput[]) => {
          let state = initialState
          const effects = order.flatMap((input) => {
            const [next, more] = step(state, input, readers)
            state = next
            return more
          })
          return [state, effects]
        }
        const admitted: ProtocolInput = { type: 'admitted' }
        expect(outcomeOf([...sent.slice(0, before), admitted, ...sent.slice(before)])).toEqual(
          outcomeOf([admitted, ...sent]),
        )
      }),
    )
  })

  it('ends with close code 1009 for one frame that is too large before the admission, not for several that are together', () => {
    const half = frame('x'.repeat(streamLimits.frameBytes - 10))
    const [, tooLarge] = step(initialState, frame('x'.repeat(streamLimits.frameBytes + 1)), readers)
    expect(tooLarge).toMatchObject([{ type: 'fail', code: 'invalid_frame', close: 1009 }])
    const [, together] = step(step(initialState, half, readers)[0], half, readers)
    expect(together).toMatchObject([{ type: 'fail', code: 'invalid_frame', close: undefined }])
  })

  it('keeps frames before the admission that are as large as a frame may be, alone or together', () => {
    const [all, small] = [frame(' '.repeat(streamLimits.frameBytes)), frame('{')]
    expect(outcome(initialState, all)).toBe('connecting: ')
    const [, together] = step(step(initialState, small, readers)[0], all, readers)
    expect(together).toMatchObject([{ type: 'fail', code: 'invalid_frame', close: undefined }])
  })

  it('keeps one frame more than a client may send before the admission, however small the frames are', () => {
    const kept = (count: number) => {
      let state = initialState
      for (let i = 0; i < count; i++) [state] = step(state, frame(''), readers)
      return state.early.length
    }
    expect([streamLimits.clientFrames, 1_000].map(kept)).toEqual([
      streamLimits.clientFrames,
      streamLimits.clientFrames + 1,
    ])
  })

  it('names what was wrong with a frame, and hands on where to go on', () => {
    const refusing: Readers<string> = {
      ...readers,
      subscribe: () => ({ refused: 'cursor_ahead', detail: 'Too far.', resumeCursor: 'v1.x' }),
    }
    const [, effects] = step({ ...initialState, phase: 'awaiting_subscribe' }, frame({ action: 'subscribe' }), refusing)
    expect(effects).toEqual([{ type: 'fail', code: 'cursor_ahead', detail: 'Too far.', resumeCursor: 'v1.x' }])
  })
})

describe('a frame', () => {
  const codeOf = (value: unknown) => {
    const read = readFrame(text(value))
    return 'refused' in read ? read.refused : read.action
  }
  it.each([
    ['a member twice', '{"action":"ping","action":"ping"}', 'invalid_frame'],
    ['an inner member twice', '{"action":"subscribe","fx":[{"base":"USD","base":"EUR"}]}', 'invalid_frame'],
    ['colons within strings', '{"action":"subscribe","cursor":"a:\\":{}"}', 'subscribe'],
    ['__proto__ as an action holder', '{"__proto__":{"action":"ping"}}', 'invalid_command'],
    ['__proto__ beside an action', '{"action":"ping","__proto__":{}}', 'ping'],
    ['an array', '[{"action":"ping"}]', 'invalid_command'],
    ['null', 'null', 'invalid_command'],
    ['a number as action', '{"action":1}', 'invalid_command'],
    ['nothing', '', 'invalid_frame'],
    ['depth', `{"action":"ping","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'ping'],
    ['depth of objects', `{"action":"ping","x":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`, 'ping'],
    ['depth without an end', '['.repeat(60_000), 'invalid_frame'],
    ['64 KiB', `{"action":"ping"${' '.repeat(65_536 - 17)}}`, 'ping'],
    ['64 KiB and 1', `{"action":"ping"${' '.repeat(65_537 - 17)}}`, 'invalid_frame'],
  ])('with %s', (_, value, expected) => expect(codeOf(value)).toBe(expected))

  it('never throws, and judges every text', () => {
    const words = fc.constantFrom(
      '{',
      '}',
      '"action"',
      ':',
      '"ping"',
      '"subscribe"',
      ',',
      '[',
      ']',
      '1',
      '\\',
      '"',
      'é',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.array(words).map((all) => all.join('')),
          fc.string(),
        ),
        fc.boolean(),
        (value, binary) => {
          const read = readFrame(text(value))
          expect('refused' in read ? ['invalid_frame', 'invalid_command'] : ['ping', 'subscribe']).toContain(
            'refused' in read ? read.refused : read.action,
          )
          expect(outcome(initialState, { type: 'frame', bytes: text(value), isBinary: binary })).toBe('connecting: ')
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

it('an early frame is read as it came, though the socket uses its bytes again', () => {
  const bytes = Buffer.from(text({ action: 'subscribe', want: 'XAU' }))
  const [waiting] = step(
    initialState,
    { type: 'frame', bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), isBinary: false },
    readers,
  )
  bytes.fill(0)
  expect(step(waiting, { type: 'admitted' }, readers)[1]).toEqual([
    { type: 'ready' },
    { type: 'attach', subscription: 'XAU' },
  ])
})
