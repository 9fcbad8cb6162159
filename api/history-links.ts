import { catalogLink } from '../contracts/catalog.ts'
import { vintagesOperationId } from '../contracts/history-operations.ts'
import { operationById } from '../contracts/operations.ts'
import type { Series } from '../contracts/records.ts'
import { linked } from './csv.ts'
import type { ApiDeps } from './deps.ts'
import { gapLink } from './gap-link.ts'
import type { HistoryOperation, HistoryQuestion } from './history-question.ts'
import { newerLinks, newestIn } from './newer-figures.ts'

/** A page of a history: the best of the series that it is read from, and the link to the next page as CSV, if there is one. */
export type PageToLink = { readonly served: Series | undefined; readonly next: readonly string[] }

type Deps = Pick<ApiDeps, 'figures' | 'releaseIndex' | 'statements'>
type Headers = Readonly<Record<string, string>>

/**
 * The links of the pages of a history (RFC 8288). They follow from other indicators' figures and from what operators have said,
 * too, so they are made anew after each release and statement, also for a page that is kept.
 */
export class LinksOfPages {
  readonly #deps: Deps
  readonly #operation: HistoryOperation
  readonly #made = new WeakMap<PageToLink, { readonly state: string; readonly headers: Headers }>()

  constructor(deps: Deps, operation: HistoryOperation) {
    this.#deps = deps
    this.#operation = operation
  }

  of(question: HistoryQuestion, page: PageToLink): Headers {
    const { releaseIndex, statements } = this.#deps
    const state = `${releaseIndex.count} ${statements.count}`
    const known = this.#made.get(page)
    if (known?.state === state) return known.headers
    const headers = linked([...page.next, ...this.#links(question, page)])
    this.#made.set(page, { state, headers })
    return headers
  }

  #links({ country, filters, cursor }: HistoryQuestion, { served }: PageToLink): string[] {
    const { id, indicator } = this.#operation
    const { figures } = this.#deps
    const gaps = served ? gapLink(this.#deps, served) : []
    // A frequency that was not asked for may end before another one.
    const isChosen = cursor !== undefined || filters.frequency !== '' || filters.asOf !== ''
    const end = served && !isChosen ? newestIn(figures, country, indicator, served.frequency) : ''
    const newer = end === '' ? [] : newerLinks(figures, country, indicator, end)
    const vintages = vintagesOperationId(indicator)
    const versions = id === vintages ? [] : [`<${pathOfHistory(vintages, country)}>; rel="version-history"`]
    return [...gaps, catalogLink(country, indicator), ...versions, ...newer]
  }
}

export const pathOfHistory = (operationId: string, country: string): string =>
  operationById(operationId).path.replace('{country}', country)
