/**
 * Preloaded into a node (`node --import`): what it asks of a publisher goes to the test's own server, the publisher's host in
 * front of the path and the process that asks in a header. No setting points a source elsewhere, so nothing else would do
 * without the internet; everything behind `fetch` is as it is in service.
 */
const { TEST_PUBLISHERS: address } = process.env
const { fetch: ask } = globalThis

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (url.hostname === '127.0.0.1') return ask(input, init)
  const headers = new Headers(init?.headers)
  headers.set('asked-by', String(process.pid))
  return ask(new URL(`/${url.host}${url.pathname}${url.search}`, address), { ...init, headers })
}

export {}
