import { operations } from '../../contracts/operations.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { releaseOperationId } from '../../contracts/release-detail.ts'
import { searchOperationId } from '../../contracts/search.ts'
import { endOfDay } from '../../domain/day-of-knowledge.ts'
import { type Answer, etagOf } from '../answer.ts'
import type { ApiDeps, DatedReads } from '../deps.ts'
import type { Handler, Handlers, OperationInput } from '../execute.ts'
import { cellOfId, fredCalls, idsIn, isFredCall } from '../fred/calls.ts'
import { isSdmxCall, sdmxCalls } from '../sdmx/calls.ts'
import { type Moment, prefixOf, problemOn, withDay } from './address.ts'
import { type Boards, noBoards, readBoards, readPrices } from './boards.ts'
import { withoutEvidence } from './cell.ts'
import { cutAt } from './cut.ts'

/**
 * Countries whose figures are kept in memory, counted once for each day. Those of one take a few megabytes where there are very
 * many. The figures of all countries may be kept of one day, beside those of some single ones. A day without figures counts as
 * one, too.
 */
const KEPT_COUNTRIES = 32
const ALL_COUNT_AS = 24

const LAST_DAY = '9999-12-31'

/** Operations that answer the last prices, and no figures. */
const ofLastPrices: ReadonlySet<string> = new Set(['commodities_get_spot', 'fx_get_rates'])

type Kept = {
  readonly state: string
  /** Number of its countries, as `KEPT_COUNTRIES` counts. */
  readonly size: number
  readonly boards: Promise<Boards>
  readonly handlers: Promise<Handlers>
}
/** What is asked for: an operation, or a call of another surface. */
type Call = { readonly id: string; readonly tag: string }
type Asked = { readonly input: OperationInput; readonly question: unknown }

/** The handlers of the operations as of a day: those of now, over dependencies that are cut at the day. */
export class DatedHandlers {
  readonly #deps: ApiDeps
  readonly #handlersOver: (deps: ApiDeps) => Handlers
  /** By day and countries, the one used last at the end. */
  readonly #kept = new Map<string, Kept>()

  constructor(deps: ApiDeps, handlersOver: (deps: ApiDeps) => Handlers) {
    this.#deps = deps
    this.#handlersOver = handlersOver
  }

  on(moment: Moment): Handlers {
    const reads = this.#deps.asOf(moment.day, moment.isEstimated)
    const calls: readonly Call[] = [...operations, ...Object.values(fredCalls), ...Object.values(sdmxCalls)]
    return Object.fromEntries(calls.map((call) => [call.id, this.#handler(call, moment, reads)]))
  }

  #handler(call: Call, moment: Moment, reads: DatedReads): Handler {
    const { id } = call
    return {
      needsSlot: true,
      ask: async (input, caller): Promise<Asked> => {
        const handlers = this.#handlersOver(cutAt(this.#deps, moment, reads, noBoards()))
        return { input, question: await inDay(moment, async () => ownOf(handlers, id).ask(input, caller)) }
      },
      answer: (asked) =>
        inDay(moment, async () => {
          // What `ask` above has returned.
          const { input, question } = asked as Asked
          const handlers = await this.#handlersFor(call, input, moment, reads)
          try {
            return dated(await ownOf(handlers, id).answer(question), moment)
          } catch (error) {
            const isMissing = error instanceof ProblemError && error.code === 'no_complete_publication'
            throw (isMissing && (await withoutEvidence(this.#historyOf(moment), id, input, moment.day))) || error
          }
        }),
    }
  }

  /** Everything that is on record, by the dates that the address asks for. */
  #historyOf({ isEstimated }: Moment): Pick<ApiDeps['history'], 'seriesOfMany'> {
    return isEstimated ? this.#deps.asOf(LAST_DAY, true).history : this.#deps.history
  }

  /** The handlers over the figures that a call needs. They are read again when the read models have got any further. */
  async #handlersFor(call: Call, input: OperationInput, moment: Moment, reads: DatedReads): Promise<Handlers> {
    const { history, statements, releaseDates } = this.#deps
    const over = (boards: Boards) => this.#handlersOver(cutAt(this.#deps, moment, reads, boards))
    // The prices of a day that is not over are those of now: the read models have them seconds later.
    const isOver = () => endOfDay(moment.day) <= this.#deps.pricesUntil().getTime()
    const prices = async () => (isOver() ? readPrices(reads.candles, moment.day) : this.#deps.prices)
    if (ofLastPrices.has(call.id)) return over({ ...noBoards(), prices: await prices() })
    const countries = await countriesFor(call, input, reads)
    const key = `${prefixOf(moment)} ${countries ?? 'all'}`
    const state = `${await history.watermark()} ${statements.count} ${releaseDates.count}`
    const { boards, handlers } = this.#keep(key, state, () => {
      const boards = readBoards(reads.published, countries)
      return { state, size: Math.max(1, countries?.length ?? ALL_COUNT_AS), boards, handlers: boards.then(over) }
    })
    // Search also says which prices there are.
    if (call.id !== searchOperationId) return handlers
    return over({ ...(await boards), prices: await prices() })
  }

  /** What is kept under a key, made anew if that is of another state. */
  #keep(key: string, state: string, make: () => Kept): Kept {
    const known = this.#kept.get(key)
    this.#kept.delete(key)
    const kept = known?.state === state ? known : make()
    this.#kept.set(key, kept)
    kept.handlers.catch(() => this.#kept.delete(key))
    let size = kept.size
    for (const [other, { size: own }] of [...this.#kept].reverse().slice(1)) {
      if (size + own > KEPT_COUNTRIES) this.#kept.delete(other)
      else size += own
    }
    return kept
  }
}

function ownOf(handlers: Handlers, id: string): Handler {
  const own = handlers[id]
  if (!own) throw new Error(`operation ${id} has no handler`)
  return own
}

/** The countries whose figures a call reads from memory; undefined for all. */
async function countriesFor(
  call: Call,
  { params, query }: OperationInput,
  { vintages, events }: DatedReads,
): Promise<readonly string[] | undefined> {
  const { id, tag } = call
  if (isFredCall(call)) return countriesOfIds(idsIn(query))
  // Code lists of structures have what all countries have; data is not read from memory.
  if (isSdmxCall(call)) return id === sdmxCalls.data.id ? [] : undefined
  if (tag === 'Events' || tag === 'Prices') return []
  if (id === releaseOperationId) {
    const key = String(params.release_id)
    if (!key.startsWith('evt_')) return (await vintages.byIds([key])).map(({ series }) => series.country)
    const { country } = (await events.byId(key)) ?? {}
    return country ? [country] : []
  }
  const named = [params.country ?? query.country ?? []].flat()
  return named.length === 0 ? undefined : [...new Set(named.map(String))].sort()
}

/** The countries of ids of series; undefined if one does not name its country. */
function countriesOfIds(ids: readonly string[]): readonly string[] | undefined {
  const countries = ids.flatMap((id) => cellOfId(id)?.country ?? [])
  return ids.length > 0 && countries.length === ids.length ? [...new Set(countries)].sort() : undefined
}

/** Problems of a day lead to addresses of the same day. */
async function inDay<T>(moment: Moment, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ProblemError ? problemOn(moment, error) : error
  }
}

/** So do answers. */
function dated(answer: Answer, moment: Moment): Answer {
  const { link } = answer.headers ?? {}
  const headers = link === undefined ? answer.headers : { ...answer.headers, link: withDay(link, moment) }
  const own = headers ? { ...answer, headers } : answer
  const body = withDay(answer.body, moment)
  if (body === answer.body) return own
  const { bytes: _, ...others } = own
  return { ...others, body, etag: etagOf(body) }
}
