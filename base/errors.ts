/** Code of a system error, such as `ENOENT`; undefined for any other error. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Message of whatever was thrown, which need not be an Error. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
