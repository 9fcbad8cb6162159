/** A message of the server: a JSON object with a type. */
export type Message = { readonly type: string; readonly [member: string]: unknown }

const dataTypes = ['event', 'commodity', 'fx', 'prediction']
const plainTypes = ['ready', 'subscribed', 'checkpoint', 'caught_up', 'heartbeat', 'error']
const notices = ['falling_behind', 'going_away']

/** Reads a frame as an input of the machine. `data` is the content of a frame: a string, or anything else for a binary frame. */
export function inputOfFrame(data: unknown): { readonly on: string; readonly message?: Message } {
  const message = typeof data === 'string' ? parse(data) : undefined
  if (!message) return { on: 'malformed' }
  return { on: inputOf(message), message }
}

function inputOf({ type, code }: Message): string {
  if (dataTypes.includes(type)) return 'data'
  if (plainTypes.includes(type)) return type
  return type === 'notice' && notices.includes(String(code)) ? String(code) : 'other'
}

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMessage(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
