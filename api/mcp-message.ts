/**
 * A message without the nulls that models and their clients write for what they leave out: `params`, `arguments`, and members
 * of either. The protocol and the schemas of tools have no null.
 */
export function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || !('params' in message)) return message
  const { params, ...others } = message
  if (!isObject(params)) return params === null ? others : message
  const given = withoutNullMembers(params)
  if (isObject(given.arguments)) given.arguments = withoutNullMembers(given.arguments)
  return { ...others, params: given }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withoutNullMembers = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
