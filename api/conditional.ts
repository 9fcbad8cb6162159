const entityTag = /(?:W\/)?("[^"]*")/g

/** The tag of a content-coded form of a body: other bytes, so another strong validator (RFC 9110, 8.8.3). */
export const codedTag = (etag: string, coding: string): string => `${etag.slice(0, -1)}-${coding}"`

const uncoded = (etag: string): string => etag.replace(/-(?:gzip|br)"$/, '"')

/**
 * Whether If-None-Match names the representation with this tag, by weak comparison (RFC 9110, 13.1.2). The codings of a
 * body are one representation here: a client that holds its gzip form needn't fetch it again.
 */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  for (const [, tag = ''] of ifNoneMatch.matchAll(entityTag)) if (uncoded(tag) === etag) return true
  return false
}
