import type { FastifyRequest } from 'fastify'
import { hideKeysInPath } from '../../contracts/key-text.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { faultOfDay } from '../../domain/day-of-knowledge.ts'

declare module 'http' {
  interface IncomingMessage {
    /** Undefined if the address is of now. */
    moment?: Moment
  }
}
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is also served as of a day. */
    isDated?: true
  }
}

/**
 * What an address `/asof/…` asks for: the figures of a day, which is as the client wrote it, and whether those with an
 * estimated date are among them.
 */
export type Moment = { readonly day: string; readonly isEstimated: boolean }

const dated = /^\/asof\/([^/?]*)(\/estimated(?=\/))?(\/.*)$/

/** Takes the day out of an address, and notes it: `/asof/2024-03-01/v1/usage` is routed as `/v1/usage`. */
export function withoutDay(request: FastifyRequest['raw']): string {
  const { url = '/' } = request
  const [, day, estimated, rest] = dated.exec(url) ?? []
  if (day === undefined || rest === undefined) return url
  request.moment = { day, isEstimated: estimated !== undefined }
  return rest
}

/** Refuses a day that does not exist or has not begun anywhere, and an address that is served only as of now. */
export function refuseUndatable(request: FastifyRequest, now: Date): void {
  const { moment } = request.raw
  if (moment === undefined) return
  const { day } = moment
  const fault = faultOfDay(day, now)
  if (fault)
    throw new ProblemError('invalid_path', `path parameter day: "${hideKeysInPath(day).slice(0, 40)}" ${fault}`)
  if (!request.is404 && request.routeOptions.config.isDated !== true) {
    throw new ProblemError('route_not_found', `This address is served as of now only. Leave ${prefixOf(moment)} out.`)
  }
}

export const prefixOf = ({ day, isEstimated }: Moment): string => `/asof/${day}${isEstimated ? '/estimated' : ''}`

/** An address of this API at the beginning of a text, of a JSON string, of a field of CSV or of a link. */
const address = /(^|["',;<(\s])(\/v1\/)/g

/** A problem as of a day: the addresses that it names are of the same day. */
export function problemOn(moment: Moment, { code, message, headers, cause }: ProblemError): ProblemError {
  const own = Object.entries(headers).map(([name, text]) => [name, withDay(text, moment)])
  return new ProblemError(code, withDay(message, moment), { headers: Object.fromEntries(own), cause })
}

/** Puts the day in front of all addresses of this API in a text, so that no link leads out of the day. */
export const withDay = (text: string, moment: Moment): string => text.replace(address, `$1${prefixOf(moment)}$2`)
