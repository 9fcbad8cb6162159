const entityTag = /(?:W\/)?("[^"]*")/g

/**
 * Whether If-None-Match names this tag, by weak comparison (RFC 9110, 13.1.2). `etag` is the tag of the body in the coding that
 * the request would get, because a client can't freshen one coding by the tag of another (RFC 9111, 4.3.4).
 */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  for (const [, tag] of ifNoneMatch.matchAll(entityTag)) if (tag === etag) return true
  return false
}
