import { hash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { XMLParser } from 'fast-xml-parser'
import { errorMessage } from '../base/errors.ts'
import { HASH } from './digest.ts'
import { assertObjectName, type ByteRange, type ObjectListing, type ObjectStore, ObjectStoreError } from './objects.ts'

/** Access to a bucket, as the environment variables of AWS's own tools name it. */
type S3Access = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  readonly region: string
  /** Address of the server, for example `https://s3.eu-central-1.amazonaws.com`. Buckets are in its path. */
  readonly endpoint: string
}

const REQUEST_TIMEOUT_MS = 60_000
/** Retries of a request that the server could not answer. `Archiver` retries for longer. */
const RETRIES = 4
/** Tries of a conditional write while another one of the same name is under way. */
const CONFLICTS = 5

const xml = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' })

type Request = { readonly query?: string; readonly headers?: Record<string, string>; readonly body?: Uint8Array }

/** Keeps objects in a bucket of S3 or of a server that speaks its protocol, conditional writes included. */
export class S3Store implements ObjectStore {
  readonly address: string
  readonly #client: AwsClient
  readonly #bucket: string
  /** What keys begin with; empty, or ends in `/`. */
  readonly #prefix: string

  /** @param address `s3://bucket` or `s3://bucket/prefix` */
  constructor(address: string, { endpoint, ...access }: S3Access) {
    // As it is written: requests encode it.
    const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)(.*)$/s.exec(address) ?? []
    const prefix = path.replace(/^\/+|\/+$/g, '')
    this.address = address
    this.#prefix = prefix === '' ? '' : `${prefix}/`
    this.#bucket = `${endpoint.replace(/\/+$/, '')}/${bucket}`
    this.#client = new AwsClient({
      accessKeyId: access.accessKeyId,
      secretAccessKey: access.secretAccessKey,
      ...(access.sessionToken && { sessionToken: access.sessionToken }),
      region: access.region,
      service: 's3',
      retries: RETRIES,
    })
  }

  /** Throws a RangeError that names what is missing in the environment. */
  static fromEnvironment(address: string, env: NodeJS.ProcessEnv): S3Store {
    return new S3Store(address, accessFromEnvironment(env))
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#ask('PUT', name, [200], { body: bytes })
  }

  async putIfAbsent(name: string, bytes: Uint8Array): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const headers = { 'if-none-match': '*' }
      const { status } = await this.#ask('PUT', name, [200, 409, 412], { headers, body: bytes })
      if (status !== 409) return status === 200
      if (tries === CONFLICTS) throw new ObjectStoreError(`${this.address}: ${name} is being written by others`)
    }
  }

  async get(name: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    const headers = range && { range: `bytes=${range.start}-${range.end - 1}` }
    const answer = await this.#ask('GET', name, [200, 206, 404, 416], headers && { headers })
    if (answer.status === 404) return undefined
    return answer.status === 416 ? new Uint8Array() : answer.bytes
  }

  async size(name: string): Promise<number | undefined> {
    const { status, headers } = await this.#ask('HEAD', name, [200, 404])
    return status === 404 ? undefined : Number(headers.get('content-length'))
  }

  async *list(folder: string): AsyncGenerator<ObjectListing> {
    let token: string | undefined
    do {
      const query = new URLSearchParams({ 'list-type': '2', prefix: this.#prefix + folder })
      if (token !== undefined) query.set('continuation-token', token)
      const { bytes } = await this.#ask('GET', undefined, [200], { query: `?${query}` })
      const { ListBucketResult: found } = xml.parse(Buffer.from(bytes).toString('utf8'))
      for (const { Key, Size, LastModified } of found.Contents ?? []) {
        yield { name: Key.slice(this.#prefix.length), bytes: Number(Size), modified: Date.parse(LastModified) }
      }
      token = found.IsTruncated === 'true' ? found.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  async delete(name: string): Promise<void> {
    await this.#ask('DELETE', name, [200, 204, 404])
  }

  /** A killed upload leaves nothing: an object is sent in one request. */
  async sweep(): Promise<void> {}

  async close(): Promise<void> {}

  /** Sends a request and reads the whole answer. Throws ObjectStoreError if its status is not one of `expected`. */
  async #ask(method: string, name: string | undefined, expected: readonly number[], request: Request = {}) {
    if (name !== undefined) assertObjectName(name)
    const url = name === undefined ? `${this.#bucket}${request.query}` : `${this.#bucket}/${this.#prefix}${name}`
    const failed = (why: string, cause?: unknown) =>
      new ObjectStoreError(`${method} ${this.address} ${name ?? ''}: ${why}`, { cause })
    let status: number
    let headers: Headers
    let bytes: Uint8Array
    try {
      const answer = await this.#client.fetch(url, {
        method,
        // The server refuses a body that does not have the hash that was signed.
        headers: { ...request.headers, ...(request.body && { 'x-amz-content-sha256': hash(HASH, request.body) }) },
        ...(request.body && { body: request.body as Uint8Array<ArrayBuffer> }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      })
      ;({ status, headers } = answer)
      bytes = new Uint8Array(await answer.arrayBuffer())
    } catch (error) {
      const { cause } = error as Error
      throw failed(cause === undefined ? errorMessage(error) : errorMessage(cause), error)
    }
    const code = status >= 400 ? codeOf(bytes) : undefined
    if (!expected.includes(status) || code === 'NoSuchBucket') throw failed(`${status} ${code ?? ''}`.trim())
    return { status, headers, bytes }
  }
}

/** Code of an error that S3 describes; undefined if the answer is none. */
function codeOf(bytes: Uint8Array): string | undefined {
  try {
    return xml.parse(Buffer.from(bytes).toString('utf8')).Error?.Code
  } catch {
    return undefined
  }
}

function accessFromEnvironment(env: NodeJS.ProcessEnv): S3Access {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = env
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1'
  const missing = Object.entries({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey })
    .filter(([, value]) => value === '')
    .map(([name]) => name)
  if (missing.length > 0)
    throw new RangeError(`an archive or a backup in S3 needs ${missing.join(' and ')} in the environment`)
  const endpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || `https://s3.${region}.amazonaws.com`
  return { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN, region, endpoint }
}
