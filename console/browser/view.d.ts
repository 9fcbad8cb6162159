import type { ApiClient } from './api-client.js'
import type { Facts } from './bodies.d.ts'
import type { ViewName } from './view-address.js'

/** A view of the page: fills a container, and keeps it up to date until it is left. */
export type ConsoleView = (container: HTMLElement, context: ViewContext) => void | Promise<void>

export type ViewContext = {
  readonly facts: Facts
  readonly client: ApiClient
  readonly params: Readonly<Record<string, string>>
  /** Aborts when the view is left. */
  readonly signal: AbortSignal
  readonly hasKey: boolean
  /** Changes the address without a new view. */
  readonly replace: (params: Readonly<Record<string, string | undefined>>) => void
  readonly go: (view: ViewName, params?: Readonly<Record<string, string | undefined>>) => void
}
