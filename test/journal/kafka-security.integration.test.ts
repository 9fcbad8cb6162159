import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../infra/ports.ts'
import { KafkaFailure } from '../../journal/kafka/client.ts'
import { probeBroker, probeBrokers } from '../../journal/kafka/contact.ts'
import { openKafkaJournal } from '../../journal/kafka/journal.ts'
import { createKafkaJsClient } from '../../journal/kafka/kafkajs/client.ts'
import type { KafkaConnection } from '../../journal/kafka/options.ts'
import { createPlatformaticClient } from '../../journal/kafka/platformatic/client.ts'
import { readAll, record, textsOf } from '../contracts/support/journal-world.ts'
import { type Authority, type Certificate, createAuthority } from '../support/certificates.ts'
import { serviceIsThere } from '../support/services.ts'
import { type SharedServers, sharedServer } from '../support/shared-servers.ts'

const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const
const clients = ['kafkajs', 'platformatic'] as const

/** Sooner than anything that is tried again and again: Kafka itself answers a wrong password after half a second. */
const AT_ONCE_MS = 5_000

describe.skipIf(!serviceIsThere('java'))('Kafka behind TLS', () => {
  let kafka: SharedServers['kafka']
  let stranger: Authority
  let theirs: Certificate

  beforeAll(async () => {
    kafka = await sharedServer('kafka')
    stranger = await createAuthority('TEST stranger')
    theirs = await stranger.sign('TEST client')
  })

  type Way = Pick<KafkaConnection, 'brokers' | 'tls' | 'sasl'>
  const { sasl, mutual }: Record<'sasl' | 'mutual', (over?: object) => Way> = {
    sasl: (over) => ({ brokers: kafka.tlsBrokers.sasl, tls: { ca: kafka.authority }, ...over }),
    mutual: (over) => ({ brokers: kafka.tlsBrokers.mutual, tls: { ca: kafka.authority }, ...over }),
  }
  const login = (mechanism: (typeof mechanisms)[number], password = kafka.password) => ({
    sasl: { mechanism, username: kafka.user, password },
  })
  const withCertificate = ({ certificate, key }: Certificate) => ({
    tls: { ca: kafka.authority, cert: certificate, key },
  })

  describe.each(clients)('%s', (client) => {
    const open = async (way: Way) => {
      const journal = await openKafkaJournal({ ...way, client, clientId: 'test', prefix: `${client}-${randomUUID()}.` })
      onTestFinished(() => journal.close())
      return journal
    }

    const doors: [string, () => Way][] = [
      ...mechanisms.map((name): [string, () => Way] => [`a password by ${name}`, () => sasl(login(name))]),
      ['a client certificate', () => mutual(withCertificate(kafka.client))],
    ]
    it.each(doors)('writes and reads with %s', async (name, way) => {
      const journal = await open(way())
      const address = { topic: `test-${client}-${name.replaceAll(' ', '-')}-${randomUUID()}`, partition: 0 }
      await journal.ensureTopics({ [address.topic]: { partitions: 1, cleanup: 'delete', retentionMs: null } })
      await journal.append({ ...address, records: [record('appended')] })
      const claim = await journal.claim(address.topic)
      await journal.transact(claim, [{ ...address, records: [record('in a transaction')] }])
      expect(textsOf((await readAll(journal, address)).records)).toEqual(['appended', 'in a transaction'])
    })

    it.each(mechanisms)('is refused a wrong password by %s at once, in Kafka’s words', async (mechanism) => {
      const begun = performance.now()
      await expect(open(sasl(login(mechanism, 'TEST-wrong')))).rejects.toMatchObject({
        name: 'KafkaFailure',
        kind: 'refused',
        type: 'SASL_AUTHENTICATION_FAILED',
      })
      expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS)
    })

    it('takes it for a node that is away when the port has TLS all at once, and waits', async () => {
      const create = client === 'kafkajs' ? createKafkaJsClient : createPlatformaticClient
      const asking = create({ brokers: kafka.tlsBrokers.sasl, clientId: 'test', requestMs: 1_000 })
      onTestFinished(() => asking.close())
      const failure = await asking.nodeCount().catch((error) => error)
      expect(failure).toBeInstanceOf(KafkaFailure)
      expect(failure.kind).toMatch(/^un(reachable|answered)$/)
    })

    it('is refused a mechanism that the port does not have', async () => {
      const way = { brokers: kafka.brokers, ...login('plain') }
      await expect(open(way)).rejects.toMatchObject({ kind: 'refused', type: 'ILLEGAL_SASL_STATE' })
    })
  })

  const faults: [string, () => Way, string][] = [
    ['the system’s authorities alone', () => sasl({ tls: true, ...login('plain') }), 'untrusted'],
    ['another authority', () => sasl({ tls: { ca: stranger.certificate }, ...login('plain') }), 'untrusted'],
    [
      'another name for the host',
      () => sasl({ brokers: kafka.tlsBrokers.sasl.map((broker) => broker.replace('127.0.0.1', 'localhost')) }),
      'other host',
    ],
    ['plain text, at the port for passwords', () => sasl({ tls: undefined }), 'wants TLS'],
    ['a password in plain text', () => sasl({ tls: undefined, ...login('plain') }), 'wants TLS'],
    ['plain text, at the port for certificates', () => mutual({ tls: undefined }), 'wants TLS'],
    ['TLS, at a port without', () => sasl({ brokers: kafka.brokers }), 'has no TLS'],
    ['no login', () => sasl(), 'wants a login'],
    ['no certificate', () => mutual(), 'wants a certificate'],
    ['a certificate of another authority', () => mutual(withCertificate(theirs)), 'wants a certificate'],
  ]
  it.each(faults)('tells who comes with %s what is wrong, at once', async (_, way, state) => {
    const begun = performance.now()
    const [broker] = way().brokers
    await expect(probeBrokers(way())).rejects.toMatchObject({ contact: { broker, state } })
    expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS)
  })

  it('has nothing to say to who may come in, or gets in by another broker', async () => {
    const away = `127.0.0.1:${await freePort()}`
    const ways = [sasl(login('plain')), mutual(withCertificate(kafka.client)), { brokers: [away, ...kafka.brokers] }]
    for (const way of ways) expect(await probeBrokers(way)).toBe(true)
    expect(await probeBrokers({ brokers: [away] })).toBe(false)
    expect(await probeBroker(away, { tls: true })).toMatchObject({ state: 'away' })
  })
})
