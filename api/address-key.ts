import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../contracts/problems.ts'
import type { ApiGate, Caller } from './deps.ts'
import { FILES_PATH } from './iceberg/error-body.ts'

/** The query parameter in which clients of FRED send their key. */
const ADDRESS_KEY = 'api_key'

type Signed = Pick<FastifyRequest, 'headers' | 'query'>

/**
 * Finds the caller of a read on a surface whose clients put their key into the address: by the header `Authorization`, else
 * by the read-only key in `api_key`. A full key in the address is refused even beside a header, so that its owner hears of it.
 */
export function callerByHeaderOrAddress(gate: ApiGate, { headers, query }: Signed): Caller {
  // Fastify's parser makes an object of every query string.
  const given = (query as Readonly<Record<string, unknown>>)[ADDRESS_KEY]
  const inAddress = typeof given === 'string' ? given : undefined
  if (headers.authorization === undefined) {
    if (Array.isArray(given)) throw new ProblemError('invalid_query', `Give the variable ${ADDRESS_KEY} once.`)
    return inAddress === undefined ? gate.authenticateRead(undefined) : gate.authenticateAddressKey(inAddress)
  }
  if (inAddress?.startsWith('alm_')) return gate.authenticateAddressKey(inAddress)
  return gate.authenticateRead(headers.authorization)
}

/** Whether an address is itself the proof of who asks: by a key in it, or by the grant of a table's file. */
export const isSecretAddress = ({ query, routeOptions }: Pick<FastifyRequest, 'query' | 'routeOptions'>): boolean =>
  Object.hasOwn(query as object, ADDRESS_KEY) || routeOptions.url?.startsWith(`${FILES_PATH}/`) === true
