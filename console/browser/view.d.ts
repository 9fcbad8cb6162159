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
  /** Aborts when what the view shows can't be shown again: a view that is left may come back if the next can't be read. */
  readonly dropped: AbortSignal
  readonly hasKey: boolean
  /** Id of the element of the view from which the keyboard goes on; undefined: the heading. */
  readonly focus: string | undefined
  /** Changes the address without a new view. */
  readonly replace: (params: Readonly<Record<string, string | undefined>>) => void
  /** Shows another view. `focus`: see above. */
  readonly go: (view: ViewName, params?: Readonly<Record<string, string | undefined>>, focus?: string) => void
}
