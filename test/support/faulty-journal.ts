import { type Claim, type Journal, JournalError, type Position, type Write } from '../../journal/journal.ts'

/** What becomes of a write: it goes through, is refused, or its outcome stays unknown, written or not. */
export type Fault = 'ok' | 'unavailable' | 'unknown_but_written' | 'unknown_and_not_written'

/** A real journal whose transactions fail as `next` says, and which counts the faults that fired. */
export function faultyJournal(real: Journal, next: () => Fault): Journal & { readonly fired: Record<Fault, number> } {
  const fired: Record<Fault, number> = { ok: 0, unavailable: 0, unknown_but_written: 0, unknown_and_not_written: 0 }
  const spent = new WeakSet<Claim>()
  return {
    fired,
    get id() {
      return real.id
    },
    get generations() {
      return real.generations
    },
    ensureTopics: (topics, options) => real.ensureTopics(topics, options),
    append: (write) => real.append(write),
    async transact(claim: Claim, writes: readonly Write[], positions?: readonly Position[]) {
      if (spent.has(claim)) throw new Error('a claim was used after an outcome that stayed unknown')
      const fault = next()
      fired[fault]++
      if (fault === 'unavailable') throw new JournalError('unavailable', 'injected')
      if (fault === 'unknown_and_not_written') {
        spent.add(claim)
        throw new JournalError('outcome_unknown', 'injected')
      }
      const result = await real.transact(claim, writes, positions)
      if (fault === 'unknown_but_written') {
        spent.add(claim)
        throw new JournalError('outcome_unknown', 'injected')
      }
      return result
    },
    read: (address, offset, limits) => real.read(address, offset, limits),
    readValues: (address, offset, take, limits) => real.readValues(address, offset, take, limits),
    follow: (address, offset, signal, limits) => real.follow(address, offset, signal, limits),
    bounds: (address) => real.bounds(address),
    offsetForTime: (address, time) => real.offsetForTime(address, time),
    cut: (places) => real.cut(places),
    claim: (name, signal) => real.claim(name, signal),
    retain: (now) => real.retain(now),
    close: () => real.close(),
  }
}
