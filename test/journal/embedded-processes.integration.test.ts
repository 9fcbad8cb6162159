import { spawnSync } from 'node:child_process'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Batch, Journal, StoredRecord } from '../../journal/journal.ts'
import { failsWith, readAll, record, textsOf } from '../contracts/support/journal-world.ts'
import { randomFrom } from '../support/random.ts'
import { Child, SCRIPT } from './support/child.ts'
import { embeddedWorld } from './support/embedded-world.ts'

/** Raise for a longer run: ALMANAC_TEST_KILLS=300 npm test -- test/journal/embedded-processes.integration.test.ts -t SIGKILL */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 4)

/** Whether a process may have a file system of its own: not in every container. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

/** Whether a system call may be slowed down: strace is there and allowed. */
const canDelay = spawnSync('strace', ['-f', '-o', '/dev/null', '-e', 'inject=mmap:delay_enter=1', 'true']).status === 0

describe('the embedded journal', () => {
  const world = embeddedWorld()
  const { shared, open, append } = world
  let dir: string
  let journal: Journal
  beforeEach(() => {
    ;({ dir, journal } = world)
  })

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
      // Well below the 250 ms at which claims look again. Each begins just after a look, and a busy machine delays some.
      expect(delays.toSorted((a, b) => a - b)[2]).toBeLessThan(125)
    })

    it('reads on beside a process whose retention shortens the batches that it reads', async () => {
      const aged = { topic: 'aged', partition: 0 }
      const reader = new Child(['chase', dir])
      await reader.states('chasing')
      const random = randomFrom(7)
      const whole = (below: number) => Math.floor(random() * below)
      let shortened = 0
      // Goes on until the reader has been overtaken so often that it was also within a batch.
      for (let rounds = 0; (rounds < 100 || reader.facts.length < 20) && reader.process.exitCode === null; rounds++) {
        const { end } = await journal.bounds(aged)
        const padding = 'x'.repeat(whole(2) * whole(2_000))
        const records = Array.from({ length: 2 + whole(60) }, (_, i) =>
          record(`${end + i} ${padding}`, { timestamp: end + i }),
        )
        await journal.append({ ...aged, records })
        const { start } = await journal.bounds(aged)
        const newStart = start + whole(end + records.length - start)
        await journal.retain(10_000 + newStart)
        expect(await journal.bounds(aged)).toEqual({ start: newStart, end: end + records.length })
        if (newStart > end) shortened++
      }
      reader.process.stdin?.end()
      await reader.finish()
      expect(shortened).toBeGreaterThan(10)
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
    it(surviving, async () => {
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
})
