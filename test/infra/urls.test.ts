import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../infra/config.ts'
import { hostAndPort, isWildcard, urlOf } from '../../infra/urls.ts'

describe('the address of what listens', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['localhost', 'http://localhost:8080'],
    ['almanac.example', 'http://almanac.example:8080'],
    ['10.0.0.1', 'http://10.0.0.1:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://127.0.0.1:8080'],
    ['[::]', 'http://127.0.0.1:8080'],
    ['0:0::0', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['[::1]', 'http://[::1]:8080'],
    ['2001:DB8:0:0::1', 'http://[2001:db8::1]:8080'],
    ['fe80::1%eth0', 'http://[fe80::1%eth0]:8080'],
  ])('on %s is %s', (host, url) => expect(urlOf('http', host, 8080)).toBe(url))

  it('is not that of a wildcard, which is named as it is only where nobody connects to it', () => {
    expect(['0.0.0.0', '::', '[::]', '::1', '127.0.0.1', 'localhost'].map(isWildcard)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    expect(hostAndPort('::', 8080)).toBe('[::]:8080')
  })

  it.each([
    [{}, 'ws://127.0.0.1:8081'],
    [{ ALMANAC_HOST: '0.0.0.0' }, 'ws://127.0.0.1:8081'],
    [{ ALMANAC_HOST: '::' }, 'ws://127.0.0.1:8081'],
    [{ ALMANAC_HOST: '::1', ALMANAC_STREAM_PORT: '9001' }, 'ws://[::1]:9001'],
    [{ ALMANAC_HOST: '::', ALMANAC_STREAM_URL: 'wss://streams.example' }, 'wss://streams.example'],
  ])('of the streams with %j is %s', (settings, url) => expect(loadConfig(settings).streamUrl).toBe(url))

  it.each([
    [{ ALMANAC_HOST: '::', ALMANAC_HTTP_PORT: '9000' }, 'http://127.0.0.1:9000'],
    [{ ALMANAC_STREAM_URL: 'wss://streams.example' }, undefined],
    [{ ALMANAC_ROLES: 'streams' }, undefined],
  ])('of REST with %j is %s', (settings, url) => expect(loadConfig(settings).restUrl).toBe(url))
})
