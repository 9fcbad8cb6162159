import type { Refusal } from './stream.ts'

/** Refuses a position in a history, on a stream that has none. `instead` says what has past values. */
export function refuseHistoryPosition(
  message: Readonly<Record<string, unknown>>,
  instead: string,
): Refusal | undefined {
  const field = ['start', 'cursor'].find((name) => name in message)
  return field === undefined
    ? undefined
    : { refused: 'invalid_frame', detail: `Unknown field /${field}. This stream has no history: ${instead}.` }
}
