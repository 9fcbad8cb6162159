import { describe, expect, it } from 'vitest'
import type { Claim, Journal } from '../../journal/journal.ts'
import { failsWith, KEPT, readAll, record, textsOf } from '../contracts/support/journal-world.ts'
import { type Answer, possibleAnswers, type Rates } from '../support/memory-journal/answers.ts'
import { MemoryServer, type MemoryServerOptions } from '../support/memory-journal/server.ts'
import { virtualTime } from './support/virtual-time.ts'

const address = { topic: 'log', partition: 0 }
const input = { topic: 'input', partition: 0 }

/** ALMANAC_TEST_HISTORIES=300 for a long run; ALMANAC_TEST_SEED repeats one. */
const HISTORIES = Number(process.env.ALMANAC_TEST_HISTORIES ?? 1) * 15
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

async function world(seed: number, options: MemoryServerOptions = {}, longestLatencyMs = 0) {
  const time = virtualTime(seed)
  const server = new MemoryServer({
    ...time,
    id: 'journal-1',
    latencyMs: () => time.random() * longestLatencyMs,
    ...options,
  })
  await time.settle(server.open().ensureTopics({ log: KEPT, input: KEPT }))
  return { time, server }
}

const write = (text: string) => ({ ...address, records: [record(text)] })
const always = (answer: Exclude<Answer, 'ok'>): Rates => ({ [answer]: 1 })

describe('answers drawn by a seed', () => {
  const rates: Rates = Object.fromEntries(
    Object.values(possibleAnswers).flatMap((all) => all.map((one) => [one, 0.03])),
  )

  /** Several clients write numbered records under one claim and without any, and go on as the port tells them to. */
  async function history(seed: number) {
    const { time, server } = await world(seed, { claimExpiryMs: 5_000 }, 20)
    const ends = new Map<string, string>()
    const trace: string[] = []
    const note = async (text: string, writing: Promise<unknown>) => {
      const end = await writing.then(
        () => 'written',
        (error) => error.code as string,
      )
      ends.set(text, end)
      trace.push(`${time.now()} ${text} ${end}`)
      return end
    }
    const work = async (c: number) => {
      let journal = server.open({ machine: `${c}` })
      for (let claim: Claim | undefined, i = 0; i < 40; i++) {
        await note(`${c}.${i}`, journal.append(write(`${c}.${i}`)))
        claim ??= await journal.claim('name')
        const end = await note(`${c}.${i}t`, journal.transact(claim, [write(`${c}.${i}t`)], [{ ...input, offset: i }]))
        if (end === 'fenced' || end === 'outcome_unknown' || claim.lost.aborted) claim = undefined
        else if (time.random() < 0.1) {
          await claim.release().catch(() => undefined)
          claim = undefined
        } else if (time.random() < 0.03) {
          journal.kill()
          journal = server.open({ machine: `${c}` })
          claim = undefined
        }
      }
      await journal.close()
    }
    server.answers.rates = rates
    await time.settle(Promise.all([work(0), work(1), work(2)]))
    server.answers.rates = {}
    const log = await time.settle(readAll(server.open(), address))
    return { ends, trace, fired: server.answers.fired, texts: textsOf(log.records), end: log.end }
  }

  it('keep the promises of the port, and each of them fires', async () => {
    const fired = new Set<string>()
    const all = new Set<string>()
    for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
      const { ends, texts, ...run } = await history(seed)
      expect(new Set(texts).size, `seed ${seed}: nothing is written twice`).toBe(texts.length)
      for (const [text, end] of ends) {
        all.add(end)
        if (end !== 'outcome_unknown') expect(texts.includes(text), `seed ${seed}: ${text}`).toBe(end === 'written')
      }
      for (const [answer, count] of Object.entries(run.fired)) if (count > 0) fired.add(answer)
    }
    expect(fired).toEqual(new Set(['ok', ...Object.values(possibleAnswers).flat()]))
    expect(all).toEqual(new Set(['written', 'unavailable', 'full', 'outcome_unknown', 'fenced']))
  })

  it('are the same for the same seed, and others for another one', async () => {
    const [one, again, other] = [await history(SEED), await history(SEED), await history(SEED + 1)]
    expect(again).toEqual(one)
    expect(other.trace).not.toEqual(one.trace)
  })
})

describe('a write whose outcome is unknown', () => {
  const atOnce = async (answer: Exclude<Answer, 'ok'>) => {
    const { time, server } = await world(1, { longestMs: 1_000 })
    const journal = server.open()
    const claim = await time.settle(journal.claim('name'))
    server.answers.rates = always(answer)
    const failed = expect(journal.transact(claim, [write('in doubt')])).rejects.toEqual(failsWith('outcome_unknown'))
    await time.settle(failed)
    server.answers.rates = {}
    const read = async () => textsOf((await time.settle(readAll(journal, address))).records)
    return { time, journal, claim, read, fired: server.answers.fired }
  }

  it('spends the claim', async () => {
    const { time, journal, claim } = await atOnce('unknown_and_not_written')
    expect(claim.lost.aborted).toBe(true)
    const refused = expect(journal.transact(claim, [write('again')])).rejects.toEqual(failsWith('fenced'))
    await time.settle(refused)
    expect((await time.settle(journal.claim('name'))).epoch).toBeGreaterThan(claim.epoch)
  })

  it.each([
    ['unknown_but_written', ['in doubt']],
    ['unknown_and_not_written', []],
  ] as const)('%s: the log has %j', async (answer, texts) => {
    const { read, fired } = await atOnce(answer)
    expect(await read()).toEqual(texts)
    expect(fired[answer]).toBe(1)
  })

  it('may be written later, but not once the name is claimed again', async () => {
    const { time, read } = await atOnce('written_after_the_answer')
    expect(await read()).toEqual([])
    await time.settle(new Promise<void>((resolve) => time.after(1_000, resolve)))
    expect(await read()).toEqual(['in doubt'])
    const claimed = await atOnce('written_after_the_answer')
    await claimed.time.settle(claimed.journal.claim('name'))
    await claimed.time.settle(new Promise<void>((resolve) => claimed.time.after(1_000, resolve)))
    expect(await claimed.read()).toEqual([])
  })
})

describe('an owner', () => {
  const passesOn = async (machine: string, end: (owner: ReturnType<MemoryServer['open']>) => void) => {
    const { time, server } = await world(2, { claimExpiryMs: 10_000 })
    const owner = server.open({ machine: 'one' })
    const claim = await time.settle(owner.claim('name'))
    const standby = server.open({ machine })
    const waiting = standby.claim('name')
    await time.settle(new Promise<void>((resolve) => time.after(60_000, resolve)))
    const endedAt = time.now()
    end(owner)
    const next = await time.settle(waiting)
    return { time, owner, claim, standby, next, tookMs: time.now() - endedAt }
  }

  it('that has died is followed at once on its machine, and after the expiry by another one', async () => {
    const here = await passesOn('one', (owner) => owner.kill())
    expect(here.tookMs).toBeLessThan(100)
    const there = await passesOn('two', (owner) => owner.kill())
    expect(there.tookMs).toBeGreaterThan(6_000)
    expect(there.tookMs).toBeLessThan(12_000)
  })

  it('that is cut off loses its claim, and is fenced when it is back', async () => {
    const { time, owner, claim, standby, next } = await passesOn('two', (owner) => owner.disconnect())
    await time.settle(standby.transact(next, [write('by the new owner')]))
    owner.reconnect()
    const zombie = expect(owner.transact(claim, [write('by a zombie')])).rejects.toEqual(failsWith('fenced'))
    await time.settle(zombie)
    expect(claim.lost.aborted).toBe(true)
    expect(textsOf((await time.settle(readAll(owner, address))).records)).toEqual(['by the new owner'])
  })
})

describe('a follower', () => {
  const next = (journal: Journal, patienceMs?: number) => {
    const options = patienceMs === undefined ? {} : { patienceMs }
    return journal.follow(address, 0, new AbortController().signal, options)[Symbol.asyncIterator]().next()
  }

  it('waits for a journal that is away, as long as it has patience', async () => {
    const { time, server } = await world(3)
    const journal = server.open()
    journal.disconnect()
    await time.settle(expect(next(journal, 5_000)).rejects.toEqual(failsWith('unavailable')))
    expect(time.now()).toBeGreaterThanOrEqual(5_000)
    const waiting = next(journal)
    time.after(60_000, () => journal.reconnect())
    expect((await time.settle(waiting)).value).toEqual({ records: [], next: 0, end: 0 })
  })
})

it('a topic that is not compacted at once keeps older records until it is', async () => {
  const { time, server } = await world(4, { compactsAtOnce: false })
  const journal = server.open()
  const compacted = { topic: 'compacted', partition: 0 }
  await time.settle(journal.ensureTopics({ compacted: { ...KEPT, cleanup: 'compact' } }))
  const records = ['a1', 'b1', 'a2'].map((text) => record(text, { key: text.slice(0, 1) }))
  await time.settle(journal.append({ ...compacted, records }))
  const read = async () => textsOf((await time.settle(readAll(journal, compacted))).records)
  expect(await read()).toEqual(['a1', 'b1', 'a2'])
  server.compact()
  expect(await read()).toEqual(['b1', 'a2'])
})
