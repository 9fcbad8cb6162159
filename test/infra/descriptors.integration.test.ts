import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../infra/config.ts'
import { connectionBudget, descriptorLimit } from '../../infra/descriptors.ts'

describe('the descriptors of a process', () => {
  it('are what the system allows it', () => {
    const shown = spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout.trim()
    expect(descriptorLimit()).toBe(shown === 'unlimited' ? undefined : Number(shown))
  })

  it('are enough for what is configured, or lower it and say what to do', () => {
    expect(connectionBudget('SETTING', 1_000, 256, 1_256)).toEqual({ connections: 1_000, warning: undefined })
    const { connections, warning } = connectionBudget('SETTING', 1_000, 256, 1_024)
    expect(connections).toBe(768)
    expect(warning).toMatch(
      /1024 open files allows 768 connections, not the 1000 of SETTING.*raise the limit of open files to 1256/,
    )
  })

  it('stop the start where they are too few to serve anyone', () => {
    expect(() => connectionBudget('SETTING', 1_000, 256, 256)).toThrow(ConfigError)
    expect(() => connectionBudget('SETTING', 1_000, 256, 256)).toThrow(/256 open files is too low.*LimitNOFILE/)
  })
})

describe('settings of connections', () => {
  it('have defaults, and read proxies', () => {
    expect(loadConfig({}).connections).toEqual({ http: 4_096, streams: 16_384, perAddress: 1_000, proxies: [] })
    expect(loadConfig({ ALMANAC_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).connections.proxies).toEqual([
      '10.0.0.0/8',
      '::1',
    ])
  })

  it.each([
    { ALMANAC_HTTP_CONNECTIONS: '0' },
    { ALMANAC_STREAM_CONNECTIONS: '1e4' },
    { ALMANAC_CONNECTIONS_PER_ADDRESS: '-1' },
    { ALMANAC_TRUSTED_PROXIES: 'proxy.example.com' },
    { ALMANAC_TRUSTED_PROXIES: '10.0.0.0/33' },
    { ALMANAC_TRUSTED_PROXIES: '10.0.0.0/8/8' },
    { ALMANAC_TRUSTED_PROXIES: '10.0.0.1,' },
  ])('refuse %j', (env) => expect(() => loadConfig(env)).toThrow(ConfigError))
})
