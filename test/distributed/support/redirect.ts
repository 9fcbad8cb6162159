/**
 * Preloaded into a node (`node --import`): what it asks of a publisher goes to the test's own server, the publisher's host in
 * front of the path and the process that asks in a header. No setting points a source elsewhere, so nothing else would do
 * without the internet; everything behind the request is as it is in service.
 */
import http, { type ClientRequest, type RequestOptions } from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

const { TEST_PUBLISHERS: address } = process.env
const { request: ask } = http

/** In place of the `request` that `ingest/fetch/request.ts` sends with: an address and its options. */
const redirected = (url: URL, { lookup: _, ...options }: RequestOptions): ClientRequest =>
  ask(new URL(`/${url.host}${url.pathname}${url.search}`, address), {
    ...options,
    headers: { ...(options.headers as Readonly<Record<string, string>>), 'asked-by': String(process.pid) },
  })

const isOfPublisher = (asked: unknown): asked is URL =>
  asked instanceof URL && !['127.0.0.1', 'localhost'].includes(asked.hostname)

/** Everything else that a node asks, ClickHouse or a registry, goes where it went. */
const redirect = (module: { request: typeof http.request }): void => {
  const original = module.request as (...args: unknown[]) => ClientRequest
  module.request = ((...args: unknown[]) => {
    const [url, options] = args
    return isOfPublisher(url) ? redirected(url, options as RequestOptions) : original(...args)
  }) as typeof http.request
}
redirect(http)
redirect(https)
syncBuiltinESMExports()
