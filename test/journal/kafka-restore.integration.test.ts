import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openCopyTarget } from '../../journal/kafka/copy-target.ts'
import { openKafkaJournal } from '../../journal/kafka/journal.ts'
import { localRegistry, type SchemaRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import {
  backUpTo,
  contentOf,
  embeddedTarget,
  expectBranch,
  expectMoments,
  restoreFrom,
  writeAsService,
} from '../archive/support/backed-up.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { serviceIsThere } from '../support/services.ts'
import { sharedServer } from '../support/shared-servers.ts'

/** The released schemas under other numbers, as a registry that others use too gives them. */
const shifted: SchemaRegistry = {
  register: async (topic, version) => (await localRegistry().register(topic, version)) + 700,
  schema: (id) => localRegistry().schema(id - 700),
}

describe.skipIf(!serviceIsThere('java'))('a backup and Kafka', () => {
  let brokers: readonly string[]
  beforeAll(async () => {
    brokers = (await sharedServer('kafka')).brokers
  })
  const newPrefix = () => `restore-${randomUUID()}.`
  const at = (prefix: string) => ({ brokers, clientId: 'test', prefix })
  const openOn = async (prefix: string) => {
    const journal = await TypedJournal.open(await openKafkaJournal(at(prefix)), shifted, prefix)
    onTestFinished(() => journal.close())
    return journal
  }
  const other = (prefix: string) => ({ prefix, registry: shifted, registryAddress: 'http://registry' })

  it('goes from an embedded journal to Kafka, with the schemas of its registry, and back', async () => {
    const [{ journal }, backup] = [await openEmbeddedTestJournal(), await temporaryDirectory()]
    const prefix = newPrefix()
    await writeAsService(journal, await journal.claim('worker'), 0, 20)
    await backUpTo(backup, journal)
    const toKafka = () => restoreFrom(backup, (request) => openCopyTarget(at(prefix), request), other(prefix))
    expect(await toKafka()).toBe(true)
    expect(await toKafka()).toBe(false)
    const content = await contentOf(journal)
    const onKafka = await openOn(prefix)
    expect(await contentOf(onKafka)).toEqual(content)

    const claim = await onKafka.claim('worker')
    expect(claim.epoch).toBe(2)
    await writeAsService(onKafka, claim, 20, 3)
    await writeAsService(journal, await journal.claim('other'), 20, 3)
    expectBranch(journal, onKafka, 21, 24)
    await claim.release()
    await backUpTo(backup, onKafka)
    const directory = await temporaryDirectory()
    await restoreFrom(backup, embeddedTarget(directory))
    const again = await openEmbeddedTestJournal(undefined, directory)
    expect(await contentOf(again.journal)).toEqual(await contentOf(onKafka))
    expect(again.journal.generations.slice(0, 1)).toEqual(onKafka.generations)
    expect(again.journal.generations.map(({ branch }) => branch.event)).toEqual([21, 24])
    expectBranch(journal, again.journal, 21, 24)
    const reopened = await openOn(prefix)
    expect(reopened.generations).toEqual(onKafka.generations)
    await expect(toKafka()).rejects.toThrow('no record of')
  })

  it('is a consistent moment of a journal on Kafka that is written to', async () => {
    const [onKafka, backup] = [await openOn(newPrefix()), await temporaryDirectory()]
    const claim = await onKafka.claim('worker')
    await writeAsService(onKafka, claim, 0, 3)
    await expectMoments(backup, onKafka, claim, { from: 3, backups: 3 })
  })
})
