import { type ProblemCode, type ProblemError, problems } from '../../contracts/problems.ts'

/** Path of the catalogue, whose errors have the form of Iceberg's REST specification. */
export const ICEBERG_PATH = '/iceberg'

export const FILES_PATH = `${ICEBERG_PATH}/files`

export const isIcebergPath = (path: string): boolean => path === ICEBERG_PATH || path.startsWith(`${ICEBERG_PATH}/`)

/** Java's exceptions, which clients of the catalogue know errors by. */
const types: Partial<Record<ProblemCode, string>> = {
  unauthorized: 'NotAuthorizedException',
  plan_upgrade_required: 'ForbiddenException',
  method_not_allowed: 'UnsupportedOperationException',
  rate_limited: 'TooManyRequestsException',
  quota_exhausted: 'TooManyRequestsException',
  unavailable: 'ServiceUnavailableException',
  internal: 'InternalServerError',
}

/** Body of an error (Iceberg REST catalogue specification, `IcebergErrorResponse`). */
export function icebergError({ code, message }: ProblemError, path: string) {
  const { status } = problems[code]
  const type = status === 404 ? missingType(path) : (types[code] ?? 'BadRequestException')
  return { error: { message, type, code: status } }
}

function missingType(path: string): string {
  if (path.startsWith(`${FILES_PATH}/`)) return 'NotFoundException'
  return /\/tables\/./.test(path) ? 'NoSuchTableException' : 'NoSuchNamespaceException'
}
