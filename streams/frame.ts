import { MESSAGE_TOO_BIG, streamLimits } from '../contracts/streams.ts'
import type { Refusal } from './stream.ts'

/** A client’s frame, judged as far as all streams judge alike; the content of a subscribe is the stream’s to read. */
type Command = {
  readonly action: 'subscribe' | 'ping'
  readonly message: Readonly<Record<string, unknown>>
}

/** What a binary frame is told, once it is judged by its shape. */
export const binaryRefusal: Refusal = { refused: 'invalid_frame', detail: 'The frame is binary; frames are JSON text.' }

const decoder = new TextDecoder()

/** Order of judgement: size, JSON, a known action. Never throws, whatever the bytes. */
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
    return invalid(`The frame is not JSON: ${(error as Error).message}.`)
  }
  if (hasRepeatedMembers(text, value)) return invalid('A member name stands twice in one object.')
  const action = isObject(value) ? value.action : undefined
  if (action !== 'subscribe' && action !== 'ping') {
    const named = typeof action === 'string' ? `"${action.slice(0, 64)}" is` : 'That is'
    return { refused: 'invalid_command', detail: `${named} no action; there are subscribe and ping.` }
  }
  return { action, message: value as Record<string, unknown> }
}

const invalid = (detail: string): Refusal => ({ refused: 'invalid_frame', detail })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON.parse lets the last of two equal names win; outside its strings a text has one colon a member. */
function hasRepeatedMembers(text: string, value: unknown): boolean {
  const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1
  let members = 0
  // A stack of our own: nesting may be deeper than calls can be.
  for (const rest: unknown[] = [value]; rest.length > 0; ) {
    const next = rest.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if (!Array.isArray(next)) members += inner.length
    for (const item of inner) rest.push(item)
  }
  return members !== colons
}
