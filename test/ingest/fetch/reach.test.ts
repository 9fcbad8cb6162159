import { describe, expect, it } from 'vitest'
import { get } from '../../../ingest/fetch/http.ts'
import { hostOf, hostOfAndPublic, hosts, isPublicAddress } from '../../../ingest/fetch/reach.ts'
import { bis } from '../../../ingest/sources/bis/index.ts'
import { file } from '../../../ingest/sources/file/index.ts'
import { pinkSheet } from '../../../ingest/sources/pink-sheet/index.ts'
import { allDocuments } from '../../support/documents.ts'
import { serve } from '../../support/http-server.ts'

describe('an address is public', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '64:ff9b::808:808',
  ])('%s', (address) => expect(isPublicAddress(address)).toBe(true))
})

describe('an address is not public', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '192.0.2.1',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::10.1.2.3',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::808:808',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    'localhost',
    '',
  ])('%s', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a fetcher', () => {
  it('follows a redirect to a host of its list only', async () => {
    const other = await serve((_, response) => response.end('secret'))
    const { address } = await serve((_, response) => response.writeHead(302, { Location: `${other.address}/x` }).end())
    await expect(get(new URL(address))).rejects.toMatchObject({ reason: 'host_not_allowed' })
    expect(other.requests).toEqual([])
    await expect(allDocuments(bis({ address }), {})).rejects.toMatchObject({ reason: 'host_not_allowed' })
    expect(other.requests).toEqual([])
  })

  it('asks no address of a private network, by number or by a name that DNS gives it', async () => {
    const { address, requests } = await serve((_, response) => response.end('secret'))
    const { port } = new URL(address)
    for (const host of ['127.0.0.1', '[::1]', '0x7f.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]']) {
      const url = new URL(`http://${host}:${port}/`)
      await expect(get(url, { reach: hosts(url.host) }), host).rejects.toMatchObject({ reason: 'host_not_allowed' })
    }
    expect(requests).toEqual([])
    const named = new URL(`http://localhost:${port}/`)
    expect((await get(named, { reach: hostOf(named) })).bytes).toHaveLength(6)
  })

  it('of a workbook goes where its publisher’s page says only if that is a host of the publisher', async () => {
    const other = await serve((_, response) => response.end('secret'))
    const { address } = await serve((_, response) =>
      response.end(`<a href="${other.address}/related/CMO-Historical-Data-Monthly.xlsx">Monthly prices</a>`),
    )
    await expect(allDocuments(pinkSheet({ address }), {})).rejects.toMatchObject({ reason: 'host_not_allowed' })
    expect(other.requests).toEqual([])
  })

  it('of a file goes where the user says, and from there to public hosts only', async () => {
    const inner = await serve((_, response) => response.end('secret'))
    const { address } = await serve((request, response) => {
      if (request.url === '/away') response.writeHead(302, { Location: `${inner.address}/` }).end()
      else response.end('# almanac: figures 1\n')
    })
    expect(await allDocuments(file(), { files: [`${address}/here`] })).toHaveLength(1)
    await expect(allDocuments(file(), { files: [`${address}/away`] })).rejects.toMatchObject({
      reason: 'host_not_allowed',
    })
    expect(inner.requests).toEqual([])
    const here = new URL('http://127.0.0.1:1/')
    expect(hostOfAndPublic(here)(here)).toBe('any')
    expect(hostOfAndPublic(here)(new URL('https://example.org/'))).toBe('public')
  })
})

it('a list of hosts means their default port', () => {
  const reach = hosts('data.example.org')
  expect(reach(new URL('https://data.example.org/x'))).toBe('public')
  for (const other of [
    'https://data.example.org:8443/',
    'https://example.org/',
    'https://data.example.org.evil.example/',
  ])
    expect(reach(new URL(other)), other).toBe('none')
})
