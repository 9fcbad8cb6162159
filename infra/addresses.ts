/** What is wrong with addresses of servers, found before URL and clients carry them, password and all, into logs. */

export function faultOfHttpUrl(text: string): string | undefined {
  const url = URL.parse(text)
  // What follows a # or ? of a password would be taken for the end of an address that has another host.
  const isWhole = url && /^https?:$/.test(url.protocol) && !/[#@]/.test(url.pathname + url.search + url.hash)
  if (!isWhole) return 'is no http(s) address; characters such as / @ : % # ? of a password are percent-encoded'
  try {
    decodeURIComponent(url.username)
    decodeURIComponent(url.password)
  } catch {
    return 'has a % before the @ that encodes nothing: write %25'
  }
  return undefined
}

export function faultOfClickHouseUrl(text: string): string | undefined {
  const fault = faultOfHttpUrl(text)
  if (fault) return fault
  return /^\/[\w-]*$/.test(new URL(text).pathname)
    ? undefined
    : 'names a database that is not of letters, digits, _ and -'
}

/** What stands before the @ of an address is nobody’s to read in a log. */
export const withoutPassword = (value: string | undefined) => value?.replace(/^([a-z+]+:\/\/)?.*@/i, '$1…@')
