import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { boundsOf } from '../../archive/chain.ts'
import { expectSameRecords, openArchive, places } from '../archive/support/archived-journal.ts'
import { writeAsService } from '../archive/support/backed-up.ts'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { startService } from '../support/service.ts'
import { openDeployment } from './support/deployment.ts'

/** ALMANAC_TEST_KILLS=20 for the long run. */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 1)

it('a journal on Kafka is archived through kills of the archiver, and exported as it is replayed', async () => {
  const deployment = await openDeployment()
  onTestFinished(() => deployment.close())
  const { journal, settings } = deployment
  const directory = await temporaryDirectory()
  const claim = await journal.claim('test')
  let written = 0
  const write = async (count: number) => {
    await writeAsService(journal, claim, written, count)
    written += count
  }
  const lastOffsets = async () => {
    const found = new Map<string, number>()
    for (const { topic, partition } of places)
      for await (const { records } of journal.readToEnd(topic, partition))
        for (const { offset } of records) found.set(`${topic}/${partition}`, offset)
    return found
  }
  const everythingIsArchived = async () => {
    const wanted = await lastOffsets()
    await until('everything is archived', async () => {
      const archive = await openArchive(directory).catch(() => undefined)
      if (!archive) return false
      for (const { topic, partition } of places) {
        const last = wanted.get(`${topic}/${partition}`) ?? -1
        if ((boundsOf(await archive.chain(topic, partition))?.end ?? 0) <= last) return false
      }
      return true
    })
  }

  await write(70)
  const node = await startService(await temporaryDirectory(), {
    ...settings,
    ALMANAC_ROLES: 'archive',
    ALMANAC_ARCHIVE: join(directory, 'archive'),
    ALMANAC_ARCHIVE_SEAL_SECONDS: '1',
  })
  onTestFinished(() => node.destroy())
  for (let kill = 0; kill < KILLS; kill++) {
    await write(20)
    const running = node.processes().find(({ name }) => name === 'node.ts')
    if (running) node.kill(running.pid)
    await write(5)
    await everythingIsArchived()
  }
  expect(await expectSameRecords(journal, directory)).toBeGreaterThan(400)
  const verified = await runCommand(['archive', 'verify', join(directory, 'archive')], {})
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('no damage found')])

  const here = { ...settings, ALMANAC_DATA_DIR: directory }
  const out = join(directory, 'exported')
  const exported = await runCommand(['export', 'releases', 'events', '--format', 'ndjson', '--out', out], here)
  expect([exported.code, exported.stderr]).toEqual([0, ''])
  const { partitions } = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as {
    partitions: readonly { readonly topic: string; readonly files: readonly { readonly name: string }[] }[]
  }
  for (const { topic, files } of partitions) {
    const texts = await Promise.all(files.map(({ name }) => readFile(join(out, name), 'utf8')))
    const replayed = await runCommand(['replay', topic], here)
    expect(texts.join('')).toBe(replayed.stdout)
    expect(replayed.stdout.split('\n').length).toBeGreaterThan(75)
  }
  expect(await node.stop()).toBe(0)
})
