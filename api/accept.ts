/** Whether an Accept header allows a JSON answer. The most specific media range that matches decides (RFC 9110, 12.5.1). */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json' || accept.trim() === '') return true
  let best = 0
  let quality = 0
  for (const item of accept.split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const specificity = ranges[range]
    if (specificity === undefined || specificity < best) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    best = specificity
    quality = q === undefined ? 1 : Number(q.slice(2)) || 0
  }
  return quality > 0
}

/** Whether a browser is opening the address as a page. Scripts and other programs don't name HTML in Accept. */
export const asksForPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false

const ranges: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  '*/*': 1,
  'application/*': 2,
  'application/json': 3,
})
