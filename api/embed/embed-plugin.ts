import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '#typebox'
import { AddressRate } from '../../access/address-rate.ts'
import { forwardedClient, type Proxies } from '../../access/proxies.ts'
import { columnName, MOST_COMPARED } from '../../console/browser/compared.js'
import { facts } from '../../console/facts.ts'
import { literals } from '../../contracts/operation.ts'
import { ProblemError, problems } from '../../contracts/problems.ts'
import { AnyPeriod, IsoDate, strict } from '../../contracts/scalars.ts'
import { frequencyOrder } from '../../contracts/serving.ts'
import { aggregationMethods, unitCodes } from '../../contracts/transformations.ts'
import type { ApiDeps } from '../deps.ts'
import { type ExecuteFor, requireReady } from '../execute.ts'
import { HTML, sendPage, stampPage } from '../page-headers.ts'
import type { Page } from '../pages/page.ts'
import { problemHeaders, problemOf } from '../problem.ts'
import { sendAnswer } from '../send-answer.ts'
import type { Embed } from './embed.ts'
import { embedPage, refusedEmbed } from './embed-page.ts'
import { type AskOpen, type EmbedQuery, embeddedComparison } from './embedded-comparison.ts'

type Deps = Pick<ApiDeps, 'answering' | 'clock'> & { readonly embed: Embed }

/** Calls a minute of one address: a page with a dozen plots, reloaded a few times. */
const CALLS_A_MINUTE = 60
const SOME_MINUTES = 'public, max-age=300'

const query = strict({
  start: Type.Optional(AnyPeriod),
  end: Type.Optional(AnyPeriod),
  as_of: Type.Optional(IsoDate),
  frequency: Type.Optional(literals(frequencyOrder)),
  method: Type.Optional(literals(aggregationMethods)),
  units: Type.Optional(literals([...unitCodes, 'index'])),
  base: Type.Optional(AnyPeriod),
})

type EmbedRequest = FastifyRequest<{ Params: { figures: string }; Querystring: EmbedQuery }>

/** Adds `/embed/{figures}`. Its problems are pages, too, because a frame shows whatever comes. */
export function embedRoutes(app: FastifyInstance, { answering, clock, embed }: Deps, executeFor: ExecuteFor): void {
  const open = new Set(embed.figures.map(fullName))
  const rate = new AddressRate(CALLS_A_MINUTE)
  const admit = (request: FastifyRequest): void => {
    const { allowed, retryAfter } = rate.take(clientOf(request, embed.proxies), clock().getTime())
    if (allowed) return
    const detail = `Your address may load ${CALLS_A_MINUTE} plots a minute. Try again in ${retryAfter} s.`
    throw new ProblemError('rate_limited', detail, { headers: { 'retry-after': String(retryAfter) } })
  }
  const namesIn = (figures: string): readonly string[] => {
    const names = [...new Set(figures.split(',').filter(Boolean).map(fullName))]
    if (names.length === 0) throw new ProblemError('route_not_found', 'Name a figure, such as /embed/USA.cpi.')
    const closed = names.filter((name) => !open.has(name))
    if (closed.length > 0)
      throw new ProblemError(
        'route_not_found',
        `${closed.join(', ')} may not be embedded: the operator has not opened it.`,
      )
    if (names.length > MOST_COMPARED)
      throw new ProblemError(
        'invalid_query',
        `A plot has at most ${MOST_COMPARED} figures, and these are ${names.length}.`,
      )
    return names
  }
  const pageOf = async (request: EmbedRequest): Promise<Page> => {
    admit(request)
    const names = namesIn(request.params.figures)
    if (request.validationError) throw problemOf(request.validationError)
    requireReady(answering())
    const execute = executeFor({})
    const ask: AskOpen = async (id, input) =>
      (await execute({ id, access: 'none' }, { params: {}, query: input }, null)).body
    const shown = new URLSearchParams({ view: 'compare', series: names.join(','), ...request.query })
    return embedPage(await embeddedComparison(names, request.query, ask), `/?${shown}`, embed.ancestors)
  }
  app.get('/embed/:figures', {
    schema: { querystring: query },
    attachValidation: true,
    handler: async (request: EmbedRequest, reply) => {
      try {
        const page = await pageOf(request)
        reply.header('cache-control', SOME_MINUTES)
        return send(request, reply, page)
      } catch (error) {
        const problem = problemOf(error)
        // The service's own faults are logged where all others are.
        if (problem.code === 'internal') throw error
        reply.code(problems[problem.code].status).headers(problemHeaders(problem))
        return send(request, reply, refusedEmbed(problem.message, embed.ancestors))
      }
    },
  })
}

function send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  if (reply.statusCode !== 200) return sendPage(reply, page)
  stampPage(reply, page)
  sendAnswer(request, reply, { ...page, contentType: HTML }, true)
  return reply
}

/** The name of a figure as a panel has it: without the figure the first one of the indicator is meant. */
function fullName(text: string): string {
  const [country = '', code, figure, ...more] = text.split('.')
  const indicator = facts.indicators.find((one) => one.code === code)
  return indicator && more.length === 0 ? columnName(country, indicator, figure ?? indicator.figures[0] ?? '') : text
}

/** The remote address, or the client that a trusted proxy names. */
function clientOf({ headers, socket }: FastifyRequest, proxies: Proxies): string {
  const remote = socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined || !proxies.has(remote)) return remote
  return forwardedClient([forwarded].flat().join(','), proxies) ?? remote
}
