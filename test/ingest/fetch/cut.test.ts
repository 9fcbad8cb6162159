import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { get } from '../../../ingest/fetch/http.ts'
import { type Exchange, serve } from '../../support/http-server.ts'

const table = `a,b\n${Array.from({ length: 400 }, (_, i) => `${i},${i * 2}\n`).join('')}`
const half = table.indexOf('\n200,') + 1
const textOf = async (address: string) => Buffer.from((await get(new URL(address))).bytes).toString()

/** Sends the first half, which ends exactly between two rows, and ends the connection. */
const cut = (response: Parameters<Exchange>[1], headers: Record<string, string>) => {
  response.writeHead(200, { 'Content-Length': String(table.length), ...headers })
  response.write(table.slice(0, half), () => response.destroy())
}

describe('an answer that is cut', () => {
  it.each([
    ['a strong ETag', { ETag: '"1"' }, '"1"'],
    ['a Last-Modified', { 'Last-Modified': 'Fri, 20 Nov 2026 00:00:00 GMT' }, 'Fri, 20 Nov 2026 00:00:00 GMT'],
  ])('is continued where it broke off, with %s', async (_, headers, version) => {
    const ranges: unknown[] = []
    const { address } = await serve(({ headers: { range, 'if-range': ifRange } }, response) => {
      ranges.push([range, ifRange])
      if (range === undefined) return cut(response, headers as Record<string, string>)
      const content = `bytes ${half}-${table.length - 1}/${table.length}`
      response.writeHead(206, { ...headers, 'Content-Range': content }).end(table.slice(half))
    })
    expect(await textOf(address)).toBe(table)
    expect(ranges).toEqual([
      [undefined, undefined],
      [`bytes=${half}-`, version],
    ])
  })

  it.each<[string, Record<string, string>, boolean]>([
    ['has changed meanwhile', { ETag: '"1"' }, true],
    ['names no version', {}, false],
    ['names a weak version only', { ETag: 'W/"1"' }, false],
  ])('is asked for again if it %s', async (_, headers, isRanged) => {
    const { address, requests } = await serve(({ headers: { range } }, response) => {
      expect(range !== undefined).toBe(isRanged && requests.length === 2)
      if (requests.length === 1) cut(response, headers)
      else response.end(table)
    })
    expect(await textOf(address)).toBe(table)
    expect(requests).toHaveLength(2)
  })

  it('is asked for again if it was packed, because a range would count packed bytes', async () => {
    const packed = gzipSync(table)
    const { address, requests } = await serve(({ headers: { range } }, response) => {
      expect(range).toBeUndefined()
      response.writeHead(200, { ETag: '"1"', 'Content-Encoding': 'gzip', 'Content-Length': String(packed.length) })
      if (requests.length > 1) response.end(packed)
      else response.write(packed.subarray(0, packed.length / 2), () => response.destroy())
    })
    expect(await textOf(address)).toBe(table)
    expect(requests).toHaveLength(2)
  })

  it('is refused after three more cuts, also where each ends between two rows', async () => {
    const { address, requests } = await serve((_, response) => cut(response, {}))
    await expect(textOf(address)).rejects.toMatchObject({ reason: 'truncated' })
    expect(requests).toHaveLength(4)
  })

  it('is asked for the rest again if the server sends less of it, which ends between two rows', async () => {
    const next = table.indexOf('\n300,') + 1
    const { address, requests } = await serve(({ headers: { range } }, response) => {
      if (range === undefined) return cut(response, { ETag: '"1"' })
      const [from, to] = range === `bytes=${half}-` ? [half, next] : [next, table.length]
      const content = `bytes ${from}-${to - 1}/${table.length}`
      response.writeHead(206, { ETag: '"1"', 'Content-Range': content }).end(table.slice(from, to))
    })
    expect(await textOf(address)).toBe(table)
    expect(requests).toHaveLength(3)
  })

  it.each<[string, Record<string, string>]>([
    ['of another version', { ETag: '"2"' }],
    ['packed', { ETag: '"1"', 'Content-Encoding': 'gzip' }],
  ])('is refused if the rest is %s', async (_, headers) => {
    const { address } = await serve(({ headers: { range } }, response) => {
      if (range === undefined) return cut(response, { ETag: '"1"' })
      const content = `bytes ${half}-${table.length - 1}/${table.length}`
      const rest = headers['Content-Encoding'] ? gzipSync(table.slice(half)) : table.slice(half)
      response.writeHead(206, { ...headers, 'Content-Range': content }).end(rest)
    })
    await expect(textOf(address)).rejects.toMatchObject({ reason: 'http_206' })
  })

  it('is refused if the rest is not what was asked for', async () => {
    const { address } = await serve(({ headers: { range } }, response) => {
      if (range === undefined) cut(response, { ETag: '"1"' })
      else response.writeHead(206, { 'Content-Range': `bytes 0-9/${table.length}` }).end(table.slice(0, 10))
    })
    await expect(textOf(address)).rejects.toMatchObject({ reason: 'http_206' })
  })
})
