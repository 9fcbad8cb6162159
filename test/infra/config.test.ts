import { describe, expect, it } from 'vitest'
import { KEY_VARIABLE } from '../../contracts/key-variable.ts'
import { type Config, isSimulatorFed, loadConfig, settingsTable, warningsOf } from '../../infra/config.ts'

const faultsOf = (env: NodeJS.ProcessEnv): string => {
  try {
    loadConfig(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const portSettings = [
  'ALMANAC_HTTP_PORT',
  'ALMANAC_STREAM_PORT',
  'ALMANAC_STORE_PORT',
  'ALMANAC_SQL_PORT',
  'ALMANAC_ADMIN_PORT',
] as const
const portsOf = ({ httpPort, streamPort, storePort, sql, admin }: Config) => [
  httpPort,
  streamPort,
  storePort,
  sql.port,
  admin.port,
]

describe('a port', () => {
  it('is decimal digits', () => {
    expect(portsOf(loadConfig({}))).toEqual([8080, 8081, 0, 0, 0])
    const given = Object.fromEntries(portSettings.map((name, i) => [name, ['0', '443', '65535', '1024', '65533'][i]]))
    expect(portsOf(loadConfig(given))).toEqual([0, 443, 65_535, 1_024, 65_533])
  })

  it.each(['99999', '65536', '-1', 'true', '8080.9', '0x10', '1e3', ' 80', '+80', 'http', '', '9'.repeat(400)])(
    'is refused where it is %j, whatever number that could be taken for',
    (value) => {
      for (const name of portSettings) {
        const faults = faultsOf({ [name]: value })
        expect(faults).toContain(`${name}=${JSON.stringify(value)} `)
        expect(faults).toContain('must be a port, a whole number from 0 to 6553')
        expect(faults.includes('is empty')).toBe(value === '')
      }
    },
  )

  it('of the admin leaves one free for the streams process', () => {
    expect(faultsOf({ ALMANAC_ADMIN_PORT: '65535' })).toContain('from 0 to 65534')
  })
})

describe('ports of one service', () => {
  const same = (env: NodeJS.ProcessEnv) => faultsOf({ ...env, ALMANAC_HTTP_PORT: '9000' })

  it.each([
    [{ ALMANAC_STREAM_PORT: '9000' }, 'ALMANAC_HTTP_PORT and ALMANAC_STREAM_PORT both take port 9000: give each'],
    [{ ALMANAC_STORE_PORT: '9000' }, 'ALMANAC_STORE_PORT and ALMANAC_HTTP_PORT both take port 9000'],
    [{ ALMANAC_SQL_PORT: '9000', ALMANAC_SQL_HOST: '0.0.0.0' }, 'ALMANAC_SQL_PORT and ALMANAC_HTTP_PORT both take'],
    [{ ALMANAC_ADMIN_PORT: '9000' }, 'ALMANAC_HTTP_PORT and ALMANAC_ADMIN_PORT both take port 9000: give each a port'],
    [
      { ALMANAC_ADMIN_PORT: '8999' },
      'ALMANAC_HTTP_PORT and the streams process (ALMANAC_ADMIN_PORT + 1) both take port 9000: give each a port',
    ],
    [{ ALMANAC_STREAM_PORT: '9000', ALMANAC_HOST: '0.0.0.0', ALMANAC_STORE_PORT: '9000' }, 'STORE_PORT and'],
  ])('are refused where %j takes one twice', (env, says) => expect(same(env)).toContain(says))

  it.each([
    {},
    { ALMANAC_STREAM_PORT: '0', ALMANAC_STORE_PORT: '0' },
    { ALMANAC_STREAM_PORT: '9000', ALMANAC_ROLES: 'streams' },
    { ALMANAC_ADMIN_PORT: '9000', ALMANAC_ADMIN_HOST: '10.0.0.1' },
  ])('may be %j', (env) => expect(same(env)).toBe(''))
})

describe('what is wrong with the settings', () => {
  it('is said all at once, and what is allowed', () => {
    const wrong = {
      ALMANAC_HTTP_PORT: '99999',
      ALMANAC_TYPO: '1',
      ALMANAC_DATADIR: '',
      ALMANAC_DATA: 'var',
      ALMANAC_HOST: '',
      ALMANAC_KAFKA_TLS: 'yes',
      ALMANAC_KAFKA_CLIENT: '',
      ALMANAC_KAFKA_SASL: 'gssapi',
      ALMANAC_LOG_LEVEL: 'loud',
      ALMANAC_SCHEDULE: 'true',
      ALMANAC_TOPIC_PREFIX: 'Almanac/',
      ALMANAC_CONTACT: 'Jane Doe',
      ALMANAC_FEED_URL: 'http://feed',
      ALMANAC_STREAM_URL: 'wss://streams/v1',
      ALMANAC_ROLES: 'api,cook,store',
    }
    expect(faultsOf(wrong).split('\n')).toEqual([
      'ALMANAC_TYPO is not a setting; `./almanac help` lists the settings',
      'ALMANAC_DATADIR is not a setting; did you mean ALMANAC_DATA_DIR?',
      'ALMANAC_DATA is not a setting; did you mean ALMANAC_DATA_DIR?',
      'ALMANAC_HOST="" must not be empty',
      expect.stringMatching(/^ALMANAC_HTTP_PORT="99999" must be a port/),
      'ALMANAC_STREAM_URL="wss://streams/v1" must be ws://host:port or wss://host:port, without a path',
      'ALMANAC_KAFKA_CLIENT="" must be one of kafkajs, platformatic',
      'ALMANAC_KAFKA_TLS="yes" must be one of 0, 1',
      'ALMANAC_KAFKA_SASL="gssapi" must be one of nothing, plain, scram-sha-256, scram-sha-512',
      'ALMANAC_TOPIC_PREFIX="Almanac/" must be of the characters a to z, 0 to 9, . _ and -',
      'ALMANAC_CONTACT="Jane Doe" must be an e-mail address in ASCII',
      expect.stringMatching(/^ALMANAC_FEED_URL="http:..feed" must be a ws:.. or wss:.. address; /),
      'ALMANAC_SCHEDULE="true" must be one of nothing, 0, 1',
      'ALMANAC_LOG_LEVEL="loud" must be one of debug, info, warn, error, silent',
      expect.stringMatching(/^ALMANAC_ROLES: unknown role cook; the roles are store, /),
      'ALMANAC_KAFKA_SASL needs ALMANAC_KAFKA_USERNAME and ALMANAC_KAFKA_PASSWORD',
      'ALMANAC_KAFKA_TLS needs ALMANAC_KAFKA_BROKERS',
      'ALMANAC_KAFKA_SASL needs ALMANAC_KAFKA_BROKERS',
    ])
  })

  it('is a contact that the header of a request cannot carry', () => {
    for (const contact of ['日本@example.org', 'josé@example.org'])
      expect(faultsOf({ ALMANAC_CONTACT: contact })).toContain('must be an e-mail address in ASCII')
    expect(loadConfig({ ALMANAC_CONTACT: 'data+almanac@example.org' }).contact).toBe('data+almanac@example.org')
  })

  it('is nothing where the key of the examples is set, which is no setting', () => {
    expect(loadConfig({ [KEY_VARIABLE]: 'alm_test_1' })).toEqual(loadConfig({}))
    expect(settingsTable.map(({ name }) => name)).not.toContain(KEY_VARIABLE)
  })

  it('is nothing where every default is given', () => {
    const defaults = Object.fromEntries(settingsTable.map(({ name, default: value }) => [name, value]))
    expect(loadConfig(defaults)).toEqual(loadConfig({}))
  })
})

describe('the archive', () => {
  it('is kept where it has a place, for ever unless a time is given', () => {
    expect(loadConfig({}).archive).toBeUndefined()
    const place = { ALMANAC_ARCHIVE: 's3://bucket/almanac' }
    expect(loadConfig(place).archive).toEqual({ address: 's3://bucket/almanac', sealMs: 60_000, retentionMs: null })
    const kept = { ...place, ALMANAC_ARCHIVE_SEAL_SECONDS: '5', ALMANAC_ARCHIVE_RETENTION_DAYS: '7' }
    expect(loadConfig(kept).archive).toMatchObject({ sealMs: 5_000, retentionMs: 7 * 86_400_000 })
  })

  it.each(['./var/archive', '/data', 's3://bucket', 's3://a.bucket/a/b/'])('may be at %s', (place) =>
    expect(faultsOf({ ALMANAC_ARCHIVE: place })).toBe(''),
  )

  it.each(['http://host/archive', 's3://Bucket', 's3://bucket//a', 's3://bucket/../a'])('is refused at %s', (place) =>
    expect(faultsOf({ ALMANAC_ARCHIVE: place })).toContain(
      'must be a directory, or s3:// with a bucket and the beginning of its objects’ names',
    ),
  )

  it('is needed by a node that has no other role', () => {
    expect(faultsOf({ ALMANAC_ROLES: 'archive' })).toBe('ALMANAC_ROLES: archive needs ALMANAC_ARCHIVE')
    expect(faultsOf({ ALMANAC_ROLES: 'archive', ALMANAC_ARCHIVE: '/data' })).toBe('')
  })

  it('has tables for the plans and accounts that are listed', () => {
    expect(loadConfig({}).tables).toEqual({ readers: [], secret: '' })
    const place = { ALMANAC_ARCHIVE: '/data' }
    expect(loadConfig({ ...place, ALMANAC_TABLES: 'pro, acc_1' }).tables.readers).toEqual(['pro', 'acc_1'])
    expect(faultsOf({ ALMANAC_TABLES: 'pro,' })).toContain('must be names of plans and accounts')
    expect(faultsOf({ ...place, ALMANAC_TABLES: 'pro', ALMANAC_TABLES_SECRET: 'short' })).toMatch(
      /^ALMANAC_TABLES_SECRET.* at least 24 characters$/,
    )
  })
})

describe('figures that pages of others may show', () => {
  it('are none, and framed by this service alone, unless they are listed', () => {
    expect(loadConfig({}).embed).toEqual({ figures: [], ancestors: [] })
    const listed = { ALMANAC_EMBED: 'USA.cpi' }
    expect(faultsOf({ ...listed, ALMANAC_EMBED_ANCESTORS: '*' })).toBe('')
    expect(faultsOf({ ...listed, ALMANAC_EMBED_ANCESTORS: 'https://*.a.example, http://127.0.0.1:8000' })).toBe('')
    const env = {
      ALMANAC_EMBED: 'USA.cpi, DEU.inflation.month_over_month',
      ALMANAC_EMBED_ANCESTORS: 'https://a.example',
    }
    expect(loadConfig(env).embed).toEqual({
      figures: ['USA.cpi', 'DEU.inflation.month_over_month'],
      ancestors: ['https://a.example'],
    })
  })

  it.each([
    ['ALMANAC_EMBED', 'US.cpi', 'names US.cpi, and must name a country of three letters'],
    ['ALMANAC_EMBED', 'USA.cpy', 'names USA.cpy, and cpy is no indicator that is served of USA'],
    ['ALMANAC_EMBED', 'CHN.trade-exports', 'trade-exports is no indicator that is served of CHN'],
    ['ALMANAC_EMBED', 'USA.cpi,USA.inflation.yearly', 'the figures of inflation are year_over_year'],
    ['ALMANAC_EMBED', 'USA.cpi,', 'has a comma without a figure beside it'],
    ['ALMANAC_EMBED_ANCESTORS', "https://a.example; script-src 'unsafe-inline'", 'must be * or origins'],
    ['ALMANAC_EMBED_ANCESTORS', 'a.example', 'must be * or origins'],
    ['ALMANAC_EMBED_ANCESTORS', 'https://münchen.example', 'write https://xn--mnchen-3ya.example'],
    ['ALMANAC_EMBED_ANCESTORS', '*, https://A.example/', '"*" is none'],
    ['ALMANAC_EMBED_ANCESTORS', 'https://A.example/', 'write https://a.example'],
    ['ALMANAC_EMBED_ANCESTORS', 'https://a.example:99999', 'must be * or origins'],
    ['ALMANAC_EMBED_ANCESTORS', 'https://u:p@a.example', 'write https://a.example'],
    ['ALMANAC_EMBED_ANCESTORS', 'https://a.example?b', 'write https://a.example'],
  ])('are refused in a setting %s=%s that means something else', (name, value, said) =>
    expect(faultsOf({ [name]: value })).toContain(said),
  )
})

describe('prices are simulated', () => {
  const feed = { ALMANAC_FEED_URL: 'wss://feed.example' }
  it.each([
    [{}, true],
    [{ ALMANAC_DEMO: '0' }, false],
    [feed, false],
    [{ ALMANAC_ROLES: 'ingest,streams' }, true],
    // The node that takes prices in may have a feed.
    [{ ALMANAC_ROLES: 'streams' }, false],
  ])('with %j: %s', (env, expected) => expect(isSimulatorFed(loadConfig(env))).toBe(expected))
})

describe('the brokers of Kafka', () => {
  it('are host:port, comma separated', () => {
    const ALMANAC_KAFKA_BROKERS = 'kafka-1:9092,[::1]:65535'
    expect(loadConfig({ ALMANAC_KAFKA_BROKERS }).kafka?.brokers).toEqual(['kafka-1:9092', '[::1]:65535'])
  })

  it.each(['localhost', 'a:1,', 'a:1, b:2', 'a:0', 'a:1,b:65536', 'a:99999', 'kafka://a:1', ':9092', 'a:1e3'])(
    'are refused at start where they are %s',
    (brokers) => {
      const wanted = 'must be host:port, comma separated, each port from 1 to 65535'
      expect(faultsOf({ ALMANAC_KAFKA_BROKERS: brokers })).toBe(
        `ALMANAC_KAFKA_BROKERS=${JSON.stringify(brokers)} ${wanted}`,
      )
    },
  )
})

describe('the address of Redis', () => {
  it.each([
    ['foo', 'begins with redis://'],
    ['redis://user:s3cret/more@redis', 'host or host:port'],
    ['redis+sentinel://redis?sentinel_password=s3cret', 'name of the master'],
    ['redis://:s3cret@redis/many', 'is a number'],
  ])('is refused at start, %s, and not shown', (url, says) => {
    const faults = faultsOf({ ALMANAC_REDIS_URL: url })
    expect(faults).toMatch(/^ALMANAC_REDIS_URL: /)
    expect(faults).toContain(says)
    expect(faults).not.toContain('s3cret')
  })
})

describe('a setting that does nothing', () => {
  it.each([
    [{ ALMANAC_KAFKA_TLS: '1' }, 'ALMANAC_KAFKA_TLS needs ALMANAC_KAFKA_BROKERS'],
    [
      { ALMANAC_KAFKA_SASL: 'plain', ALMANAC_KAFKA_USERNAME: 'almanac', ALMANAC_KAFKA_PASSWORD: 's3cret' },
      'ALMANAC_KAFKA_SASL needs ALMANAC_KAFKA_BROKERS',
    ],
    [{ ALMANAC_ARCHIVE_SEAL_SECONDS: '5' }, 'ALMANAC_ARCHIVE_SEAL_SECONDS needs ALMANAC_ARCHIVE'],
    [{ ALMANAC_ARCHIVE_RETENTION_DAYS: '7' }, 'ALMANAC_ARCHIVE_RETENTION_DAYS needs ALMANAC_ARCHIVE'],
    [{ ALMANAC_TABLES: 'pro' }, 'ALMANAC_TABLES needs ALMANAC_ARCHIVE'],
    [{ ALMANAC_TABLES_SECRET: 'of 24 or more characters' }, 'ALMANAC_TABLES_SECRET needs ALMANAC_TABLES'],
    [{ ALMANAC_EMBED_ANCESTORS: '*' }, 'ALMANAC_EMBED_ANCESTORS needs ALMANAC_EMBED'],
    [{ ALMANAC_FEED_TOKEN: 'token' }, 'ALMANAC_FEED_TOKEN needs ALMANAC_FEED_URL'],
    [{ ALMANAC_FEED_SUBSCRIBE: '{}' }, 'ALMANAC_FEED_SUBSCRIBE needs ALMANAC_FEED_URL'],
  ])('is refused: %j', (env, says) => expect(faultsOf(env)).toBe(says))

  it.each(['ALMANAC_STORE_PORT', 'ALMANAC_SQL_PORT'])('is refused: %s of a store that is not used', (name) => {
    const server = { ALMANAC_CLICKHOUSE_URL: 'http://clickhouse:8123' }
    expect(faultsOf({ ...server, [name]: '8124' })).toBe(
      `${name} needs the embedded store, so ALMANAC_CLICKHOUSE_URL must be empty`,
    )
    expect(faultsOf({ ...server, [name]: '0' })).toBe('')
    // As the processes of a service with its own store get it.
    expect(faultsOf({ ALMANAC_CLICKHOUSE_URL: 'unix:/var/store.sock', [name]: '8124' })).toBe('')
  })
})

describe('the time until a record is archived', () => {
  const ALMANAC_ARCHIVE = './archive'
  it.each([
    ['ALMANAC_TICKS_RETENTION_DAYS', '1', '43200', '43201'],
    ['ALMANAC_EVENTS_RETENTION_DAYS', '0.5', '21600', '21601'],
  ])('is at most half of %s', (name, days, half, longer) => {
    expect(faultsOf({ ALMANAC_ARCHIVE, [name]: days, ALMANAC_ARCHIVE_SEAL_SECONDS: half })).toBe('')
    expect(faultsOf({ ALMANAC_ARCHIVE, [name]: days, ALMANAC_ARCHIVE_SEAL_SECONDS: longer })).toBe(
      `ALMANAC_ARCHIVE_SEAL_SECONDS=${longer} must be at most half of ${name}=${days}, or records may be deleted before they are archived`,
    )
    expect(faultsOf({ [name]: days })).toBe('')
  })
})

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
    ['tcp://almanac:secret@clickhouse:9000', 'must be an http(s) address'],
    ['http//almanac:secret@clickhouse', 'must be an http(s) address'],
    ['http://almanac:secret/more@clickhouse:8123', 'must be an http(s) address'],
    ['http://almanac:secret@more@clickhouse:eight', 'must be an http(s) address'],
    ['http://almanac:secret%@clickhouse:8123', 'write %25'],
    ['http://almanac:secret%ff@clickhouse:8123', 'write %25'],
    ['http://almanac:secret@clickhouse:8123/almanac/', 'must name a database'],
  ])('are refused at start, %s, and the password is not shown', (url, says) => {
    for (const name of ['ALMANAC_CLICKHOUSE_URL', 'ALMANAC_CLICKHOUSE_READ_URL']) {
      const faults = faultsOf({ ALMANAC_CLICKHOUSE_URL: 'http://clickhouse:8123', [name]: url })
      expect(faults).toContain(`${name}=`)
      expect(faults).toContain(says)
      expect(faults).not.toContain('secret')
    }
  })
})

describe('how long events and ticks are kept', () => {
  const DAY = 86_400_000

  it('is a setting: events for ever and ticks for 30 days unless said otherwise', () => {
    expect(loadConfig({}).retention).toEqual({ events: null, ticks: 30 * DAY })
    const set = { ALMANAC_EVENTS_RETENTION_DAYS: '365', ALMANAC_TICKS_RETENTION_DAYS: '0.5' }
    expect(loadConfig(set).retention).toEqual({ events: 365 * DAY, ticks: DAY / 2 })
  })

  it.each(['0', '0.0', '-1', 'forever', '1e3', 'Infinity', '1,5', ' ', '0.000000001', '40000', '9'.repeat(400)])(
    'is refused where it is %s',
    (days) => {
      for (const name of ['ALMANAC_EVENTS_RETENTION_DAYS', 'ALMANAC_TICKS_RETENTION_DAYS'])
        expect(faultsOf({ [name]: days })).toContain(
          `${name}=${JSON.stringify(days)} must be a positive number of days`,
        )
    },
  )

  it('is bounded for ticks, so that the table of ticks outlives the journal', () => {
    expect(faultsOf({ ALMANAC_TICKS_RETENTION_DAYS: '30.1' })).toContain('up to 30')
    expect(faultsOf({ ALMANAC_TICKS_RETENTION_DAYS: '' })).toContain('ALMANAC_TICKS_RETENTION_DAYS=""')
    expect(faultsOf({ ALMANAC_EVENTS_RETENTION_DAYS: '31' })).toBe('')
  })
})

describe('the address of the schema registry', () => {
  it('may carry credentials', () => {
    const ALMANAC_SCHEMA_REGISTRY_URL = 'https://user:p%23ss@registry:8443/apis/ccompat/v7'
    expect(loadConfig({ ALMANAC_SCHEMA_REGISTRY_URL }).schemaRegistryUrl).toBe(ALMANAC_SCHEMA_REGISTRY_URL)
  })

  it.each([
    ['http://user:s3cret#pw@registry:8081', 'must be an http(s) address'],
    ['http://user:2026#pw@registry:8081', 'must be an http(s) address'],
    ['http://user:2026?pw@registry:8081', 'must be an http(s) address'],
    ['http://user:2026/pw@registry:8081', 'must be an http(s) address'],
    ['http://user:s3cret%@registry:8081', 'write %25'],
    ['kafka://user:s3cret@registry:8081', 'must be an http(s) address'],
    ['registry:8081', 'must be an http(s) address'],
  ])('is refused at start, %s, and the password is not shown', (url, says) => {
    const faults = faultsOf({ ALMANAC_SCHEMA_REGISTRY_URL: url })
    expect(faults).toContain('ALMANAC_SCHEMA_REGISTRY_URL=')
    expect(faults).toContain(says)
    expect(faults).not.toMatch(/s3cret|2026|pw/)
  })
})

describe('the security of Kafka', () => {
  const ALMANAC_KAFKA_BROKERS = 'kafka:9092'
  const login = { ALMANAC_KAFKA_USERNAME: 'almanac', ALMANAC_KAFKA_PASSWORD: 's3cret' }
  const pair = { ALMANAC_KAFKA_CERT_FILE: 'cert.pem', ALMANAC_KAFKA_KEY_FILE: 'key.pem' }

  it.each([
    [{ ALMANAC_KAFKA_CA_FILE: 'ca.pem' }, 'ALMANAC_KAFKA_CA_FILE needs ALMANAC_KAFKA_TLS=1'],
    [pair, 'ALMANAC_KAFKA_KEY_FILE needs ALMANAC_KAFKA_TLS=1'],
    [login, 'need ALMANAC_KAFKA_SASL'],
    [{ ALMANAC_KAFKA_PASSWORD: 's3cret' }, 'need ALMANAC_KAFKA_SASL'],
    [{ ALMANAC_KAFKA_SASL: 'plain' }, 'needs ALMANAC_KAFKA_USERNAME'],
  ])('is never less than what is set: %j is refused', (env, says) => {
    const faults = faultsOf({ ALMANAC_KAFKA_BROKERS, ...env })
    expect(faults).toContain(says)
    expect(faults).not.toContain('s3cret')
  })

  it('is told of where a password would be sent as plain text', () => {
    const warnings = (env: NodeJS.ProcessEnv) => warningsOf(loadConfig({ ALMANAC_KAFKA_BROKERS, ...env }))
    const plain = { ...login, ALMANAC_KAFKA_SASL: 'plain' }
    expect(warnings(plain)).toEqual([expect.stringContaining('plain text')])
    expect(warnings({ ...plain, ...pair, ALMANAC_KAFKA_CA_FILE: 'ca.pem', ALMANAC_KAFKA_TLS: '1' })).toEqual([])
    expect(warnings({ ...login, ALMANAC_KAFKA_SASL: 'scram-sha-512' })).toEqual([])
  })

  it('has an address of the feed that a client can read, as one that cannot be read would be printed with its key', () => {
    const wrong = [
      'wss://u:s3cret@feed:99999',
      'wss://u:s3%zzcret@feed',
      'wss://u:s3#cret@feed',
      'wss://feed/?s3=cret#1',
    ]
    for (const ALMANAC_FEED_URL of wrong) {
      expect(faultsOf({ ALMANAC_FEED_URL }), ALMANAC_FEED_URL).toMatch(/^ALMANAC_FEED_URL="wss:/)
      expect(faultsOf({ ALMANAC_FEED_URL })).not.toMatch(/s3|cret/)
    }
    const address = 'wss://u:s3%2Fcret@feed/prices?apikey=s3cret'
    expect(loadConfig({ ALMANAC_FEED_URL: address }).feed.url).toBe(address)
  })

  it('shows nothing of an address that may be a secret', () => {
    const secrets = {
      ALMANAC_FEED_URL: 'https://feed/ws?token=s3cret',
      ALMANAC_CLICKHOUSE_URL: 'http://u:p%zz\ns3cret@host',
      ALMANAC_SCHEMA_REGISTRY_URL: 'ftp://u:s3cret@host?key=s3cret',
    }
    for (const [name, value] of Object.entries(secrets)) {
      expect(() => loadConfig({ [name]: value })).toThrow(name)
      expect(() => loadConfig({ [name]: value })).not.toThrow('s3cret')
    }
  })
})
