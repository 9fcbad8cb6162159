/** Text of a list of `count` items, of which `shown` are the first: `a, b, and 3 more`. */
export const listText = (shown: readonly string[], count: number, separator = ', '): string =>
  [...shown, ...(count > shown.length ? [`and ${count - shown.length} more`] : [])].join(separator)
