type AccessErrorCode =
  | 'unavailable'
  | 'invalid_owner'
  | 'invalid_origin'
  | 'invalid_expiry'
  | 'invalid_overlap'
  | 'key_not_active'
  | 'key_replaced'
  | 'key_derived'

/** `unavailable`: the access store could not check or write what was asked, so nothing was granted. It is safe to retry. */
export class AccessError extends Error {
  readonly code: AccessErrorCode
  constructor(code: AccessErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options)
    this.name = 'AccessError'
    this.code = code
  }
}
