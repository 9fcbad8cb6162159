type AccessErrorCode =
  | 'unavailable'
  | 'invalid_owner'
  | 'invalid_origin'
  | 'invalid_expiry'
  | 'invalid_overlap'
  | 'key_not_active'
  | 'key_replaced'

/** `unavailable`: what had to be checked or written could not be, so nothing was granted; safe to retry. */
export class AccessError extends Error {
  readonly code: AccessErrorCode
  constructor(code: AccessErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options)
    this.name = 'AccessError'
    this.code = code
  }
}
