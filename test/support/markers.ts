/**
 * Returns the page with what stands between the comments `<!-- NAME -->` and `<!-- /NAME -->` replaced. Throws if the page
 * does not have both.
 */
export function replaceBetweenMarkers(page: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the page has no ${start} … ${end}`)
  return `${page.slice(0, from + start.length)}\n${content}\n${page.slice(to)}`
}
