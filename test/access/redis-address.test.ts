import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accessPartition, burstName, leasesName, partitions, quotaName, runName } from '../../access/redis/names.ts'
import { isTicket } from '../../access/tickets.ts'
import { parseRedisAddress, RedisAddressError } from '../../base/redis/address.ts'

const open = { username: undefined, password: undefined, tls: false }

describe('a Redis address', () => {
  it.for([
    ['redis://localhost', { kind: 'single', ...open, node: { host: 'localhost', port: 6379 }, database: 0 }],
    ['redis://[::1]:7000/3', { kind: 'single', ...open, node: { host: '::1', port: 7000 }, database: 3 }],
    [
      'rediss://ann:p%40ss%3A@r.example:1',
      {
        kind: 'single',
        username: 'ann',
        password: 'p@ss:',
        tls: true,
        node: { host: 'r.example', port: 1 },
        database: 0,
      },
    ],
    [
      'redis+sentinel://:pw@a,b:27000/main/2?sentinel_password=x%20y',
      {
        kind: 'sentinel',
        ...open,
        password: 'pw',
        sentinels: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 27000 },
        ],
        master: 'main',
        database: 2,
        sentinelPassword: 'x y',
      },
    ],
    [
      'rediss+cluster://pw@a:1,b',
      {
        kind: 'cluster',
        username: undefined,
        password: 'pw',
        tls: true,
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6379 },
        ],
      },
    ],
  ] as const)('%s is read', ([url, address]) => {
    expect(parseRedisAddress(url)).toEqual(address)
  })

  it.for([
    ['localhost:6379', /begins with redis:\/\//],
    ['http://localhost', /begins with redis:\/\//],
    ['redis://a:p@ss@host', /percent-encoded/],
    ['redis://%zz@host', /percent-encoded/],
    ['redis://', /host or host:port/],
    ['redis://a,b', /several are redis\+cluster/],
    ['redis://host:70000', /host or host:port/],
    ['redis://host/one', /is a number/],
    ['redis://host/1/2', /only a database number/],
    ['redis://host?db=1', /takes no parameter "db"/],
    ['redis+sentinel://a,b', /name of the master/],
    ['redis+sentinel://a,,b/main', /host or host:port/],
    ['redis+cluster://a,b/1', /no databases/],
  ] as const)('%s is refused, and why', ([url, why]) => {
    expect(() => parseRedisAddress(url)).toThrow(RedisAddressError)
    expect(() => parseRedisAddress(url)).toThrow(why)
  })

  it('keeps passwords to itself when it is refused', () => {
    for (const url of ['redis://u:TEST-secret@', 'redis://u:TEST-secret@h/x', 'redis+sentinel://TEST-secret@h']) {
      let said = ''
      try {
        parseRedisAddress(url)
      } catch (error) {
        said = String(error)
      }
      expect(said).toContain('RedisAddressError')
      expect(said).not.toContain('TEST-secret')
    }
  })
})

describe('names in Redis', () => {
  it('put all of a key into one hash slot, that of its partition', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^key_[0-9a-z]{1,26}$/), (account) => {
        const tags = [
          quotaName(account, '2026-11'),
          burstName(account),
          leasesName(account),
          runName(accessPartition(account)),
        ].map(
          // The rule of Redis Cluster: what is between the first brace and the next that closes.
          (name) => /^[^{]*\{([^}]+)\}/.exec(name)?.[1],
        )
        expect(new Set(tags)).toEqual(new Set([accessPartition(account)]))
      }),
    )
  })

  it('know as many partitions as a ticket’s first character can name, and use them evenly', () => {
    expect(new Set(partitions).size).toBe(64)
    for (const partition of partitions) expect(isTicket(partition.padEnd(43, 'A'))).toBe(true)
    const counts = Map.groupBy(
      Array.from({ length: 6_400 }, (_, i) => `key_${i}`),
      accessPartition,
    )
    expect(counts.size).toBe(64)
    for (const keys of counts.values()) expect(keys.length).toBeLessThan(200)
  })
})
