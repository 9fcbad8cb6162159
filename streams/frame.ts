import { errorMessage } from '../base/errors.ts'
import { MESSAGE_TOO_BIG, streamLimits } from '../contracts/streams.ts'
import type { Refusal } from './stream.ts'

/** A client's frame after the checks that all streams share. Each stream reads the content of a subscribe itself. */
type Command = {
  readonly action: 'subscribe' | 'ping'
  readonly message: Readonly<Record<string, unknown>>
}

/** Refusal of a binary frame. It comes after the checks of JSON and action, in the contract's order. */
export const binaryRefusal: Refusal = {
  refused: 'invalid_frame',
  detail: 'The frame is binary. Send JSON as text frames.',
}

const decoder = new TextDecoder()

/** Checks a frame's size, then its JSON, then its action. Never throws, whatever the bytes are. */
export function readFrame(bytes: ArrayBuffer | Uint8Array): Command | Refusal {
  if (bytes.byteLength > streamLimits.frameBytes) {
    const detail = `The frame has ${bytes.byteLength} bytes; ${streamLimits.frameBytes} are allowed.`
    return { refused: 'invalid_frame', detail, close: MESSAGE_TOO_BIG }
  }
  const text = decoder.decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // `JSON.parse` throws nothing but SyntaxError.
    return invalid(`The frame is not JSON: ${errorMessage(error)}.`)
  }
  if (hasRepeatedMembers(text, value)) return invalid('A field name appears twice in one object.')
  const action = isObject(value) ? value.action : undefined
  if (action !== 'subscribe' && action !== 'ping') {
    const fault = typeof action === 'string' ? `Unknown action "${action.slice(0, 64)}"` : 'The frame names no action'
    return { refused: 'invalid_command', detail: `${fault}. Use subscribe or ping.` }
  }
  // Only an object can have had a known action.
  return { action, message: value as Record<string, unknown> }
}

const invalid = (detail: string): Refusal => ({ refused: 'invalid_frame', detail })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether a name occurs twice in one object: JSON.parse silently keeps the last. Outside its strings, a JSON text has exactly
 * one colon for each member, so more colons than parsed members mean a repeated name.
 */
function hasRepeatedMembers(text: string, value: unknown): boolean {
  const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1
  let members = 0
  // An explicit stack instead of recursion, because a frame may nest deeper than the call stack allows.
  for (const rest: unknown[] = [value]; rest.length > 0; ) {
    const next = rest.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if (!Array.isArray(next)) members += inner.length
    for (const item of inner) rest.push(item)
  }
  return members !== colons
}
