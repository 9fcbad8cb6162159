/** Problems of questions that no schema can judge, and values as their messages show them. */

import { ProblemError } from '../contracts/problems.ts'

export const invalidQuery = (detail: string): ProblemError => new ProblemError('invalid_query', detail)

/** The problem of an answer that would be too long. The detail says how to split the question. */
export const tooLarge = (detail: string): ProblemError => new ProblemError('answer_too_large', detail)

/** The problem of a question that a standard has, and that is not answered here. */
export const notImplemented = (detail: string): ProblemError => new ProblemError('not_implemented', detail)

/** Longest value that a message shows in full, in characters. */
export const SHOWN_LENGTH = 80

/** Any JSON value as text for a message, shortened if it is long, however deep it nests. */
export const shown = (value: unknown): string => {
  const text = value === undefined ? 'undefined' : jsonUpTo(value, SHOWN_LENGTH)
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH - 3)}…` : text
}

/**
 * The JSON text of a value, written only up to about `room` characters; a longer text is incomplete. Each level of nesting
 * takes a character of `room`, so the recursion is bounded. JSON.stringify would overflow the stack on a value some thousand
 * levels deep.
 */
function jsonUpTo(value: unknown, room: number): string {
  if (room <= 0) return ''
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  let text = isList ? '[' : '{'
  for (const [name, item] of Object.entries(value)) {
    if (text.length > room) break
    if (text.length > 1) text += ','
    if (!isList) text += `${JSON.stringify(name)}:`
    text += jsonUpTo(item, room - text.length)
  }
  return text + (isList ? ']' : '}')
}
