import type { FastifyRequest } from 'fastify'

/**
 * Where the client reached the service, as it says itself or as a proxy says: the addresses of files begin so. Only this
 * client sees the answer, so a false one harms nobody else.
 */
export function clientOrigin({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): string {
  const [protocol] = String(headers['x-forwarded-proto'] ?? '').split(',')
  return `${protocol?.trim() === 'https' ? 'https' : 'http'}://${host}`
}
