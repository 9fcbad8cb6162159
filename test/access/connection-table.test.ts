import { describe, expect, it } from 'vitest'
import { ConnectionTable, countedAddress } from '../../access/connection-table.ts'
import { forwardedClient, trustedProxies } from '../../access/proxies.ts'

const admitAll = (table: ConnectionTable, address: string, times: number) =>
  Array.from({ length: times }, () => table.admit(address)).filter(Boolean).length

describe('connections of a port', () => {
  it('are bounded per address, and a place is free again after a close', () => {
    const refused: string[] = []
    const table = new ConnectionTable({
      limits: { total: 1_000, perAddress: 20 },
      onRefused: (address, reason) => refused.push(`${address} ${reason}`),
    })
    expect(admitAll(table, '192.0.2.1', 25)).toBe(20)
    expect(refused).toEqual(Array(5).fill('192.0.2.1 address'))
    expect(table.admit('192.0.2.2')).toBe(true)
    table.leave('192.0.2.1')
    expect(table.admit('192.0.2.1')).toBe(true)
    expect(table.admit('192.0.2.1')).toBe(false)
    expect(table.open).toBe(21)
  })

  it('leave room for an address that has none yet, however many others take what they can', () => {
    for (const attackers of [1, 10, 100]) {
      const table = new ConnectionTable({ limits: { total: 1_000, perAddress: 500 } })
      for (let round = 0; round < 500; round++) {
        for (let i = 0; i < attackers; i++) table.admit(`10.0.0.${i}`)
      }
      expect(table.open).toBeLessThan(1_000)
      expect(admitAll(table, '192.0.2.1', 1), `${attackers} attackers`).toBe(1)
    }
  })

  it('of one address take an eighth of what is free, and no more', () => {
    const table = new ConnectionTable({ limits: { total: 80, perAddress: 80 } })
    expect(admitAll(table, '192.0.2.1', 80)).toBe(9)
    expect(admitAll(table, '192.0.2.2', 80)).toBe(8)
  })

  it('count for the total alone once their client is identified', () => {
    const table = new ConnectionTable({ limits: { total: 1_000, perAddress: 2 } })
    for (let i = 0; i < 5; i++) {
      expect(table.admit('192.0.2.1')).toBe(true)
      table.identify('192.0.2.1')
    }
    expect([table.admit('192.0.2.1'), table.admit('192.0.2.1'), table.admit('192.0.2.1')]).toEqual([true, true, false])
    expect(table.open).toBe(7)
    for (let i = 0; i < 5; i++) table.leaveIdentified()
    for (let i = 0; i < 2; i++) table.leave('192.0.2.1')
    expect(table.open).toBe(0)
  })

  it('never exceed the total, and go on when some have left', () => {
    const table = new ConnectionTable({ limits: { total: 64, perAddress: 8 } })
    let open = 0
    for (let i = 0; i < 200; i++) if (table.admit(`10.0.0.${i}`)) open++
    expect([open, table.open]).toEqual([64, 64])
    expect(table.admit('192.0.2.1')).toBe(false)
    table.leave('10.0.0.0')
    expect(table.admit('192.0.2.1')).toBe(true)
  })

  it('of a trusted proxy are bounded by the total alone, and count for the clients they are moved to', () => {
    const proxies = trustedProxies(['198.51.100.0/24'])
    const table = new ConnectionTable({ limits: { total: 100, perAddress: 3 }, isShared: proxies.has })
    expect(admitAll(table, '198.51.100.7', 10)).toBe(10)
    expect(admitAll(table, '::ffff:198.51.100.7', 10)).toBe(10)
    for (let i = 0; i < 3; i++) expect(table.move('198.51.100.7', '192.0.2.1')).toBe(true)
    expect(table.move('198.51.100.7', '192.0.2.1')).toBe(false)
    expect(table.open).toBe(20)
    for (let i = 0; i < 3; i++) table.leave('192.0.2.1')
    for (let i = 0; i < 17; i++) table.leave('198.51.100.7')
    expect(table.open).toBe(0)
  })

  it('that were never counted can leave without harm', () => {
    const table = new ConnectionTable({ limits: { total: 10, perAddress: 10 } })
    table.leave('192.0.2.1')
    table.leaveIdentified()
    expect(table.open).toBe(0)
    const narrow = new ConnectionTable({ limits: { total: 1_000, perAddress: 2 } })
    for (let i = 0; i < 3; i++) narrow.leave('192.0.2.1')
    expect(admitAll(narrow, '192.0.2.1', 5)).toBe(2)
  })
})

describe('the address that a connection counts under', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['2001:db8::ffff:102:304', '2001:db8:0:0::/64'],
    ['0:0:0:0:1:ffff:102:304', '0:0:0:0::/64'],
  ])('%s: %s', (address, counted) => expect(countedAddress(address)).toBe(counted))
})

describe('the client behind proxies', () => {
  const networks = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.9', '2001:db7::1']
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['1.2.3.4, 203.0.113.5', '203.0.113.5'],
    ['1.2.3.4, 203.0.113.5, 10.1.1.1', '203.0.113.5'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['[2001:db9::1]:443, 2001:db8::7', '2001:db9::1'],
    ['203.10.113.56:4711', '203.10.113.56'],
    ['[2001:db9::1], 192.0.2.9, 2001:db7::1', '2001:db9::1'],
    ['203.0.113.5, unknown', undefined],
    ['203.0.113.5, x203.0.113.6:80', undefined],
    ['203.0.113.5, 203.0.113.6:80x', undefined],
    ['203.0.113.5, x[2001:db9::1]', undefined],
    ['203.0.113.5, [2001:db9::1]x', undefined],
    ['10.0.0.1', undefined],
    ['', undefined],
  ])('%j: %s', (header, client) => expect(forwardedClient(header, trustedProxies(networks))).toBe(client))

  it('is asked of nobody where no proxy is trusted', () => {
    expect(trustedProxies([]).has('127.0.0.1')).toBe(false)
    expect(trustedProxies(networks).has('')).toBe(false)
  })
})
