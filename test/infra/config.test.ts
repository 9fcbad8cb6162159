import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../infra/config.ts'

const faultsOf = (env: NodeJS.ProcessEnv): string => {
  try {
    loadConfig(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('the addresses of ClickHouse', () => {
  it('are the same for reading and writing unless said otherwise', () => {
    const ALMANAC_CLICKHOUSE_URL = 'http://almanac:p%40ss@clickhouse:8123/almanac'
    const ALMANAC_CLICKHOUSE_READ_URL = 'https://reader@clickhouse:8443/almanac?ch_max_threads=2'
    expect(loadConfig({})).toMatchObject({ clickhouseUrl: '', clickhouseReadUrl: '' })
    expect(loadConfig({ ALMANAC_CLICKHOUSE_URL })).toMatchObject({
      clickhouseUrl: ALMANAC_CLICKHOUSE_URL,
      clickhouseReadUrl: ALMANAC_CLICKHOUSE_URL,
    })
    expect(loadConfig({ ALMANAC_CLICKHOUSE_URL, ALMANAC_CLICKHOUSE_READ_URL })).toMatchObject({
      clickhouseUrl: ALMANAC_CLICKHOUSE_URL,
      clickhouseReadUrl: ALMANAC_CLICKHOUSE_READ_URL,
    })
    expect(faultsOf({ ALMANAC_CLICKHOUSE_READ_URL })).toBe('ALMANAC_CLICKHOUSE_READ_URL needs ALMANAC_CLICKHOUSE_URL')
  })

  it.each([
    ['tcp://almanac:secret@clickhouse:9000', 'is no http(s) address'],
    ['http//almanac:secret@clickhouse', 'is no http(s) address'],
    ['http://almanac:secret/more@clickhouse:8123', 'is no http(s) address'],
    ['http://almanac:secret@more@clickhouse:eight', 'is no http(s) address'],
    ['http://almanac:secret%@clickhouse:8123', 'write %25'],
    ['http://almanac:secret%ff@clickhouse:8123', 'write %25'],
    ['http://almanac:secret@clickhouse:8123/almanac/', 'names a database'],
  ])('are refused at start, %s, and the password is not shown', (url, says) => {
    for (const name of ['ALMANAC_CLICKHOUSE_URL', 'ALMANAC_CLICKHOUSE_READ_URL']) {
      const faults = faultsOf({ ALMANAC_CLICKHOUSE_URL: 'http://clickhouse:8123', [name]: url })
      expect(faults).toContain(`${name}=`)
      expect(faults).toContain(says)
      expect(faults).not.toContain('secret')
    }
  })
})
