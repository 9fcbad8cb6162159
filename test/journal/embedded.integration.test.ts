import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CommitGate } from '../../base/lmdb/commit-gate.ts'
import { currentProcess, fateOf } from '../../base/process/process-identity.ts'
import { checkJournal } from '../../journal/embedded/check.ts'
import { openEnvironment } from '../../journal/embedded/environment.ts'
import { explainFailure } from '../../journal/embedded/failures.ts'
import { type EmbeddedJournalOptions, openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { encodeEntries, encodeOne, entryKey, seal } from '../../journal/embedded/log-entry.ts'
import { measureRecord } from '../../journal/embedded/record-body.ts'
import type { Batch, Journal, PartitionAddress, StoredRecord } from '../../journal/journal.ts'
import { failsWith, journalContract, readAll, record, TRUNCATED, textsOf } from '../contracts/journal-contract.ts'
import { Child, SCRIPT } from './support/child.ts'

/** Raise for a longer run: ALMANAC_TEST_KILLS=300 npm test -- test/journal/embedded.integration.test.ts -t SIGKILL */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 15)
const KILL_MS = 1_500

/** Whether a process may have a file system of its own: not in every container. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

/** Whether a system call may be slowed down: strace is there and allowed. */
const canDelay = spawnSync('strace', ['-f', '-o', '/dev/null', '-e', 'inject=mmap:delay_enter=1', 'true']).status === 0

const newDir = () => mkdtemp(join(tmpdir(), 'almanac-journal-'))
const remove = (dir: string) => rm(dir, { recursive: true, force: true })

const contractDir = await newDir()
afterAll(() => remove(contractDir))

journalContract('embedded', {
  open: () => openEmbeddedJournal({ dir: contractDir }),
  truncate: async (address, offset) => {
    const journal = await openEmbeddedJournal({ dir: contractDir })
    const [first] = (await journal.read(address, offset)).records
    await journal.retain((first?.timestamp ?? 0) + (TRUNCATED.retentionMs ?? 0))
    await journal.close()
  },
  compactsAtOnce: true,
  histories: 30,
})

describe('the embedded journal', () => {
  const shared: PartitionAddress = { topic: 'shared', partition: 0 }
  const topics = ['shared', 'appended', 'left', 'right', 'input', 'compacted', 'aged']
  const opened: Journal[] = []
  let dir: string
  let journal: Journal

  const open = async (options: Partial<EmbeddedJournalOptions> = {}) => {
    const journal = await openEmbeddedJournal({ dir, ...options })
    opened.push(journal)
    return journal
  }

  beforeEach(async () => {
    dir = await newDir()
    journal = await open()
    for (const topic of topics) {
      const cleanup = topic === 'compacted' ? 'compact' : 'delete'
      await journal.ensureTopics({ [topic]: { partitions: 1, cleanup, retentionMs: topic === 'aged' ? 10_000 : null } })
    }
  })

  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close()
    await remove(dir)
  })

  const append = (text: string, address = shared) => journal.append({ ...address, records: [record(text)] })

  describe('across processes', () => {
    it('loses and doubles no offset while three processes append', async () => {
      const children = [1, 2, 3].map(() => new Child(['append', dir, '150']))
      await Promise.all(children.map((child) => child.finish()))
      expect(await checkAppended(children)).toBe(900)
    })

    it.skipIf(!canDelay)('loses nothing to processes that open and close it meanwhile, slowly', async () => {
      // LMDB forgets a commit made between an opener's reading the meta page and, 3 ms later here, its setting to work.
      const slowly = `exec strace -f -qq -o /dev/null -P ${dir}/data.mdb -e inject=mmap:delay_enter=3000 "$0" "$@"`
      const writer = new Child(['append', dir, '2000'])
      const visitors = [1, 2].map(() => new Child(['visit', dir, '20'], slowly))
      await Promise.all([writer, ...visitors].map((child) => child.finish()))
      expect(await checkAppended([writer])).toBe(3_999)
    })

    /** The log holds what `append` processes say is in it, where they say, and nothing else. Returns how much. */
    async function checkAppended(children: readonly Child[]): Promise<number> {
      type Appended = { firstOffset: number; texts: string[] }
      const writes = children.flatMap(({ facts }) => facts as Appended[])
      const acknowledged = writes.flatMap(({ firstOffset, texts }) =>
        texts.map((text, i) => [firstOffset + i, text] as const),
      )
      const { records } = await readAll(journal, shared)
      expect(records.map(({ offset, value }) => [offset, Buffer.from(value).toString()])).toEqual(
        acknowledged.toSorted(([a], [b]) => a - b),
      )
      return records.length
    }

    it('shows a follower what another process appends, soon', async () => {
      const reader = journal.follow(shared, 0, AbortSignal.timeout(15_000))[Symbol.asyncIterator]()
      await reader.next()
      const owner = new Child(['own', dir, 'writer'])
      await owner.states('claimed')
      const delays: number[] = []
      for (let i = 0; i < 10; i++) {
        owner.say(`${i}`)
        const { records } = (await reader.next()).value as Batch
        expect(textsOf(records)).toEqual([`${i}`])
        delays.push(Date.now() - (records[0]?.timestamp ?? 0))
      }
      // Half of them within the poll interval and a commit, on a slow machine; well below the 250 ms at which claims look again.
      expect(delays.toSorted((a, b) => a - b)[5]).toBeLessThan(125)
    })

    it('sees a topic that another process created', async () => {
      const other = await open()
      await expect(other.bounds({ topic: 'later', partition: 0 })).rejects.toEqual(failsWith('unknown_topic'))
      await journal.ensureTopics({ later: { partitions: 1, cleanup: 'delete', retentionMs: null } })
      expect(await other.bounds({ topic: 'later', partition: 0 })).toEqual({ start: 0, end: 0 })
    })

    it('never reads from an older snapshot than what another process has acknowledged', async () => {
      expect(await journal.bounds(shared)).toEqual({ start: 0, end: 0 })
      // Without a turn of the event loop in between, in which lmdb-js would renew its snapshot anyway.
      expect(spawnSync(process.execPath, [SCRIPT, 'append', dir, '1']).status).toBe(0)
      expect(await journal.bounds(shared)).toEqual({ start: 0, end: 1 })
    })

    it('lets one of several contending processes own a name at a time, each time with a greater epoch', async () => {
      const children = [1, 2, 3].map(() => new Child(['contend', dir, '20']))
      await Promise.all(children.map((child) => child.finish()))
      const epochs = children.map(({ facts }) => facts.map(({ epoch }) => epoch as number))
      for (const own of epochs) expect(own).toEqual(own.toSorted((a, b) => a - b))
      expect(epochs.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1))
    })

    it('passes the claim of a killed process on within 2 s', async () => {
      const owner = new Child(['own', dir, 'processor'])
      const { claimed } = await owner.states('claimed')
      const claiming = journal.claim('processor')
      const early = await Promise.race([claiming, new Promise((resolve) => setTimeout(resolve, 400, 'still waiting'))])
      expect(early).toBe('still waiting')
      await owner.kill()
      const killedAt = performance.now()
      expect((await claiming).epoch).toBe((claimed as number) + 1)
      expect(performance.now() - killedAt).toBeLessThan(2_000)
    })

    it('lets a live process keep its claim beyond the expiry, and hands it over on release', async () => {
      const owner = new Child(['own', dir, 'processor'])
      const { claimed } = await owner.states('claimed')
      const impatient = await open({ claimExpiryMs: 3_000 })
      const claiming = impatient.claim('processor')
      const early = await Promise.race([
        claiming,
        new Promise((resolve) => setTimeout(resolve, 3_800, 'still waiting')),
      ])
      expect(early).toBe('still waiting')
      owner.process.stdin?.end()
      expect((await claiming).epoch).toBe((claimed as number) + 1)
      await owner.finish()
    })

    it('takes the claim of a stopped process, whose next transaction is then fenced', async () => {
      const owner = new Child(['own', dir, 'processor'])
      const { claimed } = await owner.states('claimed')
      owner.say('before')
      expect(await owner.states('outcome')).toEqual({ outcome: 'written' })
      owner.facts.length = 0
      await stopOutsideTransactions(owner)
      const impatient = await open({ claimExpiryMs: 1_000 })
      const claim = await impatient.claim('processor')
      expect(claim.epoch).toBe((claimed as number) + 1)
      owner.say('by the zombie')
      owner.signal('SIGCONT')
      expect(await owner.states('outcome')).toEqual({ outcome: 'fenced' })
      expect(await owner.states('lost')).toEqual({ lost: 'fenced' })
      await impatient.transact(claim, [{ ...shared, records: [record('after')] }])
      expect(textsOf((await readAll(journal, shared)).records).filter((text) => text !== 'probe')).toEqual([
        'before',
        'after',
      ])
    })

    it('notices by itself that it has lost a claim while it was stopped', async () => {
      const owner = new Child(['own', dir, 'processor'])
      await owner.states('claimed')
      await stopOutsideTransactions(owner)
      const impatient = await open({ claimExpiryMs: 1_000 })
      await impatient.claim('processor')
      owner.signal('SIGCONT')
      expect(await owner.states('lost')).toEqual({ lost: 'fenced' })
    })

    /** A process that is stopped while it holds LMDB's write lock stops all writers: let it go on, and try again. */
    async function stopOutsideTransactions(child: Child): Promise<void> {
      for (;;) {
        child.signal('SIGSTOP')
        const written = append('probe').then(() => true)
        const stuck = new Promise<false>((resolve) => setTimeout(resolve, 500, false))
        if (await Promise.race([written, stuck])) return
        child.signal('SIGCONT')
        await written
      }
    }

    const surviving = `survives ${KILLS} SIGKILLs: nothing acknowledged is lost, nothing is half done`
    it(surviving, { timeout: KILLS * KILL_MS + 5_000 }, async () => {
      const acknowledged = { batches: new Map<string, number>(), transactions: 0, epoch: 0 }
      let written = 0
      for (let kill = 0; kill < KILLS; kill++) {
        const child = new Child(['crash', dir])
        await child.states('transaction')
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 150))
        await child.kill()
        for (const { batch, firstOffset, transaction, claimed } of child.facts as Partial<CrashFact>[]) {
          if (batch !== undefined) acknowledged.batches.set(batch, firstOffset ?? Number.NaN)
          if (transaction !== undefined) acknowledged.transactions = transaction
          if (claimed !== undefined) expect(claimed).toBe(acknowledged.epoch + 1)
        }
        // A commit that was cut off after its last byte shows with the next write of anybody: here, of the claim.
        const claim = await journal.claim('processor')
        written = await checkTransactions(written)
        expect(written - acknowledged.transactions).toBeOneOf([0, 1])
        expect(await claim.position({ topic: 'input', partition: 0 })).toBe(written)
        await checkAged()
        acknowledged.epoch = claim.epoch
        await claim.release()
      }
      const inLog = await checkBatches()
      for (const [batch, firstOffset] of acknowledged.batches) expect(inLog.get(batch)).toBe(firstOffset)
      // A killed process may have had one batch written but not yet acknowledged.
      expect(inLog.size - acknowledged.batches.size).toBeLessThanOrEqual(KILLS)
      expect(acknowledged.batches.size).toBeGreaterThan(KILLS)
    })

    type CrashFact = { batch: string; firstOffset: number; transaction: number; claimed: number }

    /**
     * Both outputs go on after `known` transactions with each further one once, in order; the compacted one holds the
     * last of each key. Returns how many there are now.
     */
    async function checkTransactions(known: number): Promise<number> {
      // A transaction takes two offsets: its record's and the marker's.
      const left = await readAll(journal, { topic: 'left', partition: 0 }, 2 * known)
      const right = await readAll(journal, { topic: 'right', partition: 0 }, 2 * known)
      const compacted = await readAll(journal, { topic: 'compacted', partition: 0 })
      const count = known + left.records.length
      expect(textsOf(left.records)).toEqual(left.records.map((_, i) => `${known + i + 1}`))
      expect(textsOf(right.records)).toEqual(textsOf(left.records))
      expect([left.end, right.end, compacted.end]).toEqual(Array(3).fill(2 * count))
      const newest = Array.from({ length: Math.min(7, count) }, (_, i) => `${count - Math.min(7, count) + i + 1}`)
      expect(textsOf(compacted.records)).toEqual(newest)
      return count
    }

    /** Nothing is missing between the start and the end of a log that retention has been cutting. */
    async function checkAged(): Promise<void> {
      const address = { topic: 'aged', partition: 0 }
      const { start, end } = await journal.bounds(address)
      const { records } = await readAll(journal, address, start)
      expect(records.map(({ offset }) => offset)).toEqual(Array.from({ length: end - start }, (_, i) => start + i))
      expect(start % 300).toBeOneOf([0, 200])
      expect(end % 300).toBe(0)
    }

    /** Each batch is whole and in one run of offsets. Returns the first offset of each. */
    async function checkBatches(): Promise<Map<string, number>> {
      const { records } = await readAll(journal, { topic: 'appended', partition: 0 })
      const batches = new Map<string, number>()
      for (let i = 0; i < records.length; ) {
        const [batch = '', , size] = textsOf(records.slice(i, i + 1))[0]?.split(' ') ?? []
        const { offset: first } = records[i] as StoredRecord
        const members = records.slice(i, i + Number(size))
        expect(textsOf(members).map((text) => text.split(' ', 3).join(' '))).toEqual(
          Array.from({ length: Number(size) }, (_, index) => `${batch} ${index} ${size}`),
        )
        expect(members.map(({ offset }) => offset)).toEqual(members.map((_, index) => first + index))
        expect(batches.has(batch)).toBe(false)
        batches.set(batch, first)
        i += members.length
      }
      return batches
    }

    type Filled = { acknowledged: number; outcomes: string[]; read: number }

    it.skipIf(!canMount)(
      'says `full` on a full disk, loses nothing acknowledged, and goes on once there is room',
      async () => {
        const mount = `mount -t tmpfs -o size=8m tmpfs ${dir} && head -c 2000000 /dev/zero > ${dir}/ballast`
        const child = new Child(
          ['fill', dir, `${dir}/ballast`],
          `exec unshare -rm sh -c '${mount} && exec "$0" "$@"' "$0" "$@"`,
        )
        await child.finish()
        const { acknowledged, outcomes, read } = (await child.states('outcomes')) as Filled
        expect(outcomes).toEqual(Array(7).fill('full'))
        expect(acknowledged).toBeGreaterThan(1_000)
        expect(read).toBe(acknowledged)
      },
    )

    it('loses nothing acknowledged when its file may grow no more', async () => {
      const child = new Child(['fill', dir], 'ulimit -f 8000; exec "$0" "$@"')
      await child.finish()
      const { acknowledged, outcomes, read } = (await child.states('outcomes')) as Filled
      // LMDB calls a write cut short an input/output error, and the disk is not full.
      for (const outcome of outcomes) expect(['full', 'unavailable']).toContain(outcome)
      expect(acknowledged).toBeGreaterThan(1_000)
      expect(read).toBe(acknowledged)
      await append('room again')
      const texts = textsOf((await readAll(journal, shared)).records).map((text) => text.split(' ', 1)[0])
      expect(texts).toEqual([...Array.from({ length: acknowledged }, (_, i) => `${i}`), 'room'])
    })
  })

  describe('groups and waiting', () => {
    it('flushes many small appends at once', async () => {
      const environment = await openEnvironment({ dir })
      const commits = () => environment.snapshot((store) => store.commits())
      const before = commits()
      const appends = Array.from({ length: 300 }, (_, i) => append(`${i}`))
      const offsets = await Promise.all(appends)
      expect(offsets.map(({ firstOffset }) => firstOffset)).toEqual(Array.from({ length: 300 }, (_, i) => i))
      expect(commits() - before).toBeLessThan(10)
      await environment.close()
    })

    it('refuses one write of a group without harming the others', async () => {
      const claim = await journal.claim('group')
      await claim.release()
      const group = [
        append('one'),
        journal.transact(claim, [{ ...shared, records: [record('fenced')] }]),
        append('two'),
      ]
      const outcomes = await Promise.allSettled(group)
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(textsOf((await readAll(journal, shared)).records)).toEqual(['one', 'two'])
    })

    it('undoes a whole group when a job in it breaks', async () => {
      const environment = await openEnvironment({ dir })
      const bug = new TypeError('a bug')
      const claim = await journal.claim('group')
      const innocent = append('in the same group')
      const broken = environment.write((tx) => {
        tx.putPosition('group', 0, 5)
        throw bug
      })
      for (const undone of [innocent, broken]) await expect(undone).rejects.toBe(bug)
      expect(await claim.position(shared)).toBeUndefined()
      expect(await journal.bounds(shared)).toEqual({ start: 0, end: 0 })
      await append('fine')
      expect(textsOf((await readAll(journal, shared)).records)).toEqual(['fine'])
      await environment.close()
    })

    it('wakes followers of the same process without polling', async () => {
      const quietDir = await newDir()
      const quiet = await openEmbeddedJournal({ dir: quietDir, tail: { pollMs: 3_600_000, anywayMs: 3_600_000 } })
      await quiet.ensureTopics({ shared: { partitions: 1, cleanup: 'delete', retentionMs: null } })
      const reader = quiet.follow(shared, 0, AbortSignal.timeout(5_000))[Symbol.asyncIterator]()
      await reader.next()
      const waiting = reader.next()
      await quiet.append({ ...shared, records: [record('now')] })
      expect(textsOf(((await waiting).value as Batch).records)).toEqual(['now'])
      await quiet.close()
      await remove(quietDir)
    })

    it('keeps no old pages for a reader that waits', async () => {
      const compacted = { topic: 'compacted', partition: 0 }
      const stop = new AbortController()
      const reader = journal.follow(compacted, 0, stop.signal)[Symbol.asyncIterator]()
      await reader.next()
      const waiting = reader.next()
      for (let round = 0; round < 150; round++) {
        const records = Array.from({ length: 50 }, (_, i) => record('x'.repeat(1_000), { key: `${i}` }))
        await journal.append({ ...compacted, records })
        if (round === 0) await waiting
      }
      // 150 rounds of 50 kB; one round is alive.
      expect((await stat(join(dir, 'data.mdb'))).size).toBeLessThan(2_000_000)
      stop.abort()
    })
  })

  describe('retention', () => {
    const aged: PartitionAddress = { topic: 'aged', partition: 0 }
    const at = (...times: number[]) => times.map((timestamp) => record(`${timestamp}`, { timestamp }))

    it('deletes what is too old, in many steps if need be, and moves the start', async () => {
      const times = Array.from({ length: 2_500 }, (_, i) => i)
      await journal.append({ ...aged, records: at(...times, 50_000) })
      await journal.retain(10_000)
      expect(await journal.bounds(aged)).toEqual({ start: 0, end: 2_501 })
      await journal.retain(10_007)
      expect(await journal.bounds(aged)).toEqual({ start: 7, end: 2_501 })
      await Promise.all([journal.retain(59_999), (await open()).retain(59_999)])
      expect(await journal.bounds(aged)).toEqual({ start: 2_500, end: 2_501 })
      expect(textsOf((await readAll(journal, aged, 2_500)).records)).toEqual(['50000'])
      await journal.retain(60_001)
      expect(await journal.bounds(aged)).toEqual({ start: 2_501, end: 2_501 })
      expect(await journal.append({ ...aged, records: at(60_000) })).toEqual({ firstOffset: 2_501 })
    })

    it('never moves a start back, though another retention with an earlier time be slower', async () => {
      const times = Array.from({ length: 500 }, (_, i) => i)
      await journal.append({ ...aged, records: at(...times, 50_000) })
      await Promise.all([journal.retain(59_999), (await open()).retain(10_007)])
      expect(await journal.bounds(aged)).toEqual({ start: 500, end: 501 })
    })

    it('shortens the batch in which the new start lies', async () => {
      const padding = 'x'.repeat(500)
      const records = Array.from({ length: 200 }, (_, i) => record(`${i} ${padding}`, { timestamp: i }))
      await journal.append({ ...aged, records })
      for (const start of [1, 40, 41, 100, 199]) {
        await journal.retain(10_000 + start)
        expect(await journal.bounds(aged)).toEqual({ start, end: 200 })
        const { records: read } = await readAll(journal, aged, start)
        expect(textsOf(read)).toEqual(textsOf(records.slice(start)))
        expect(read.map(({ offset }) => offset)).toEqual(records.slice(start).map(({ timestamp }) => timestamp))
        // What was deleted is not in the file any more, and the check counts what is left.
        expect(await checkJournal(dir)).toBe(200 - start)
      }
    })

    it('goes from the oldest on and stops at the first record that may stay', async () => {
      await journal.append({ ...aged, records: at(1, 90_000, 2) })
      await journal.retain(50_000)
      expect(textsOf((await readAll(journal, aged, 1)).records)).toEqual(['90000', '2'])
    })

    it('leaves topics without a time limit, and compacted ones, alone', async () => {
      await append('old')
      await journal.retain(Number.MAX_SAFE_INTEGER)
      expect(await journal.bounds(shared)).toEqual({ start: 0, end: 1 })
    })

    it('takes over a changed time limit, but no changed kind of cleaning', async () => {
      await journal.append({ ...aged, records: at(1) })
      await journal.ensureTopics({ aged: { partitions: 1, cleanup: 'delete', retentionMs: 50 } })
      await journal.retain(52)
      expect(await journal.bounds(aged)).toEqual({ start: 1, end: 1 })
      const changed = journal.ensureTopics({ aged: { partitions: 1, cleanup: 'compact', retentionMs: 50 } })
      await expect(changed).rejects.toEqual(failsWith('topic_mismatch'))
    })
  })

  describe('on disk', () => {
    it('is the same journal after closing and opening again', async () => {
      const { id } = journal
      await append('kept')
      const claim = await journal.claim('name')
      await journal.transact(claim, [], [{ ...shared, offset: 1 }])
      await journal.close()
      const again = await open()
      expect(again.id).toBe(id)
      expect(textsOf((await readAll(again, shared)).records)).toEqual(['kept'])
      const next = await again.claim('name')
      expect([next.epoch, await next.position(shared)]).toEqual([claim.epoch + 1, 1])
    })

    it('refuses a directory of another format', async () => {
      const environment = await openEnvironment({ dir })
      await environment.write((tx) => tx.put(['journal'], { format: 3, id: 'x' }))
      await expect(openEmbeddedJournal({ dir })).rejects.toThrow('has format 3; this release reads formats 1 and 2')
      await environment.close()
    })

    it('names the batch of a damaged record, and still reads what lies around it', async () => {
      for (const text of ['a', 'b', 'c'])
        await journal.append({ ...shared, records: [record(`${text}1`), record(`${text}2`)] })
      const environment = await openEnvironment({ dir })
      await environment.write((tx) => {
        const bytes = tx.store.records.get([0, 3])
        if (!bytes) throw new Error('there is no batch')
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 4, bytes.length - 1)
        tx.store.records.put([0, 3], bytes)
      })
      for (const offset of [2, 3])
        await expect(journal.read(shared, offset)).rejects.toThrow('damaged record at shared/0@3: the checksum differs')
      await expect(journal.readValues(shared, 2, () => {})).rejects.toThrow('damaged record at shared/0@3')
      expect(textsOf((await journal.read(shared, 0, { maxRecords: 2 })).records)).toEqual(['a1', 'a2'])
      expect(textsOf((await readAll(journal, shared, 4)).records)).toEqual(['c1', 'c2'])
      await expect(checkJournal(dir)).rejects.toThrow('log 0, record 3: the checksum differs')
      await environment.close()
    })

    it('is damaged if entries overlap, or a compacted topic has a batch', async () => {
      await journal.append({ ...shared, records: [record('one'), record('two'), record('three')] })
      await journal.append({ topic: 'compacted', partition: 0, records: [record('one', { key: 'a' })] })
      const environment = await openEnvironment({ dir })
      const compactedLog = topics.indexOf('compacted')
      const batch = () => encodeEntries(['one', 'two'].map((text) => measureRecord(record(text))))[0]?.bytes
      const put = (log: number, last: number) =>
        environment.write((tx) => tx.store.records.put([log, last], seal(batch() as Buffer, entryKey(log, last))))
      await put(0, 3)
      await expect(checkJournal(dir)).rejects.toThrow('log 0: record 3 overlaps others')
      await environment.write((tx) => tx.store.records.remove([0, 3]))
      expect(await checkJournal(dir)).toBe(4)
      await put(compactedLog, 2)
      await expect(checkJournal(dir)).rejects.toThrow(`log ${compactedLog}: record 2 is in a batch`)
      await environment.close()
    })

    it('names the place of a damaged record, and still reads what lies around it', async () => {
      for (const text of ['zero', 'one', 'two']) await append(text)
      const environment = await openEnvironment({ dir })
      const bytes = seal(encodeOne(measureRecord(record('one'))).bytes, entryKey(0, 1))
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 4, bytes.length - 1)
      await environment.write((tx) => tx.store.records.put([0, 1], bytes))
      await expect(readAll(journal, shared)).rejects.toThrow('damaged record at shared/0@1: the checksum differs')
      expect(textsOf((await journal.read(shared, 0, { maxRecords: 1 })).records)).toEqual(['zero'])
      expect(textsOf((await readAll(journal, shared, 2)).records)).toEqual(['two'])
      await environment.close()
    })
  })
})

describe('a gate', () => {
  const directory = async () => {
    const dir = await newDir()
    onTestFinished(() => remove(dir))
    return dir
  }

  it('lets nobody open or close while others commit, open or close, and commits go on beside each other', async () => {
    const dir = await directory()
    const gates = Array.from({ length: 4 }, () => new CommitGate(dir))
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
    const inside = { doors: 0, commits: 0 }
    const most = { doors: 0, commits: 0 }
    const be = (kind: 'doors' | 'commits') => async () => {
      inside[kind]++
      most[kind] = Math.max(most[kind], inside[kind])
      expect(inside.doors).toBeLessThanOrEqual(inside.commits === 0 ? 1 : 0)
      await pause()
      inside[kind]--
    }
    const visit = async (gate: CommitGate) => {
      for (let i = 0; i < 15; i++) {
        await pause()
        if (Math.random() < 0.3) await gate.exclusively(be('doors'))
        else await gate.committing(be('commits'))
      }
    }
    await Promise.all(gates.map(visit))
    expect(most.doors).toBe(1)
    expect(most.commits).toBeGreaterThan(1)
    for (const gate of gates) gate.close()
    expect(await readdir(dir)).toEqual([])
  })

  const mark = (kind: string, namespace: string | null, started: string) =>
    [kind, process.pid, started, currentProcess.boot ?? '', namespace ?? '', 'left behind'].join('~')

  it('is not held up by what killed processes have left behind, and clears it away', async () => {
    const dir = await directory()
    const left = ['door', 'commits'].map((kind) => mark(kind, currentProcess.namespace, '1'))
    for (const name of left) await writeFile(join(dir, name), '1')
    const gate = new CommitGate(dir)
    expect(await gate.committing(async () => 'committed')).toBe('committed')
    expect(await gate.exclusively(() => 'opened')).toBe('opened')
    gate.close()
    expect(await readdir(dir)).toEqual([])
  })

  it('waits a while, but not for ever, for a process of another container that may be dead', async () => {
    const dir = await directory()
    for (const kind of ['door', 'commits']) await writeFile(join(dir, mark(kind, 'pid:[1]', '1')), '1')
    for (const enter of ['exclusively', 'committing'] as const) {
      const gate = new CommitGate(dir, 200)
      const since = performance.now()
      await gate[enter](async () => undefined)
      expect(performance.now() - since).toBeGreaterThan(190)
      gate.close()
    }
  })

  it('knows whether anybody else has the environment open', async () => {
    const dir = await directory()
    const gate = new CommitGate(dir, 200)
    expect(await gate.isAlone()).toBe(true)
    const other = new CommitGate(dir)
    expect(await gate.isAlone()).toBe(false)
    other.close()
    expect(await gate.isAlone()).toBe(true)
    await writeFile(join(dir, mark('commits', 'pid:[1]', '1')), '1')
    expect(await gate.isAlone()).toBe(true)
    gate.close()
  })
})

describe('a process identity', () => {
  it('is that of a running process only while it runs', async () => {
    expect(fateOf(currentProcess)).toBe('running')
    const child = spawn('sleep', ['60'])
    expect(fateOf({ ...currentProcess, pid: child.pid as number })).toBe('gone')
    child.kill('SIGKILL')
  })

  it('is not shared by a later process with the same pid, nor by one before a reboot', () => {
    expect(fateOf({ ...currentProcess, started: '1' })).toBe('gone')
    expect(fateOf({ ...currentProcess, boot: 'another' })).toBe('gone')
  })

  it('leaves a process of another container to its heartbeat', () => {
    expect(fateOf({ ...currentProcess, pid: 2 ** 22 + 1, namespace: 'pid:[1]' })).toBe('unknown')
  })

  it('falls back to the pid alone where the system tells no more', () => {
    expect(fateOf({ ...currentProcess, started: null })).toBe('running')
    expect(fateOf({ ...currentProcess, started: null, pid: 2 ** 22 + 1 })).toBe('gone')
  })

  it.runIf(process.platform === 'linux')('does not outlive its process as a zombie', async () => {
    // The shell starts a child, then becomes a program that never waits for it.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = (await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve))).toString().split('\n')
    const fields = async () => (await readFile(`/proc/${line}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
    const identity = { ...currentProcess, pid: Number(line), started: (await fields())[19] as string }
    await vi.waitFor(async () => expect((await fields())[0]).toBe('Z'), { timeout: 5_000 })
    expect(fateOf(identity)).toBe('gone')
    parent.kill('SIGKILL')
  })
})

describe('the reason of a failed write', () => {
  const circumstances = { probe: () => undefined, freeBytes: () => 2 ** 40, path: '/TEST', wantedBytes: 2_000_000 }
  const errno = (code: number) => Object.assign(new Error('reason'), { code })
  const failedCommit = (code: number) => {
    const commitError = Promise.reject(errno(code))
    commitError.catch(() => undefined)
    return Object.assign(new Error('Commit failed'), { commitError })
  }

  it.each([
    ['no space left, at commit', failedCommit(28), circumstances, 'full'],
    ['no space left, earlier', errno(28), circumstances, 'full'],
    [
      'no space left for a mark',
      Object.assign(new Error('reason'), { errno: -28, code: 'ENOSPC' }),
      circumstances,
      'full',
    ],
    ['an input/output error with room on the disk', failedCommit(5), circumstances, 'unavailable'],
    ['an input/output error on a full disk', failedCommit(5), { ...circumstances, freeBytes: () => 4_096 }, 'full'],
  ])('%s', async (_, error, found, code) => {
    expect(await explainFailure(error, found)).toEqual(failsWith(code as 'full'))
  })

  it('says which disk is full, how much is free and how much was wanted', async () => {
    const full = await explainFailure(failedCommit(28), { ...circumstances, freeBytes: () => 4_096 })
    expect(full.message).toBe(
      'full: no room in /TEST (reason): its file system has 0.0 MB free, and this write needs about 2.0 MB',
    )
  })

  it('is unknown when LMDB can no longer be read', async () => {
    const probe = () => {
      throw new Error('MDB_PANIC')
    }
    expect(await explainFailure(failedCommit(5), { ...circumstances, probe })).toEqual(failsWith('outcome_unknown'))
  })

  it('is the error itself if it is a bug', async () => {
    const bug = new TypeError('a bug')
    expect(await explainFailure(bug, circumstances)).toBe(bug)
  })
})
