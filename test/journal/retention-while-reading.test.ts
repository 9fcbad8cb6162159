import { expect, it } from 'vitest'
import type { Journal } from '../../journal/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { faultyJournal } from '../support/faulty-journal.ts'
import { eventNumber } from '../support/journal-records.ts'
import { MemoryServer } from '../support/memory-journal/server.ts'

const RETENTION_MS = 1_000

/** A journal with events 1 and 2, of which retention deletes the first right after `bounds` was asked next. */
async function journalThatShrinks() {
  const server = new MemoryServer()
  const bytes = server.open()
  let isArmed = false
  const shrinking: Journal = {
    ...faultyJournal(bytes, () => 'ok'),
    async bounds(address) {
      const bounds = await bytes.bounds(address)
      if (isArmed && address.topic === 'almanac.events') {
        isArmed = false
        await bytes.retain(10_000 + RETENTION_MS)
      }
      return bounds
    },
  }
  const open = () => TypedJournal.open(shrinking, localRegistry(), undefined, { events: RETENTION_MS })
  const journal = await open()
  await journal.append('events', 0, [{ value: eventNumber(0), id: 'a', at: 1_000 }])
  await journal.append('events', 0, [{ value: eventNumber(1), id: 'b', at: 20_000 }])
  isArmed = true
  return { journal, open }
}

it('a journal is opened while retention moves the start of a log', async () => {
  const { journal, open } = await journalThatShrinks()
  await expect(open()).resolves.toBeDefined()
  expect((await journal.bounds('events', 0)).start).toBeGreaterThan(0)
})

it('the newest record is found while retention moves the start of a log', async () => {
  const { journal } = await journalThatShrinks()
  expect((await journal.newest('events', 0))?.value.sequence).toBe(2)
  expect((await journal.bounds('events', 0)).start).toBeGreaterThan(0)
})
