import { expect, it } from 'vitest'
import { claimInTime } from '../../journal/claim-in-time.ts'
import { openTestJournal } from '../support/journal.ts'

it('a claim that another process keeps is waited for a while, and the error names it', async () => {
  const { journal } = await openTestJournal()
  const held = await claimInTime(journal, 'TEST', 5_000)
  await expect(claimInTime(journal, 'TEST', 20)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'unavailable: another process has held the claim TEST for 0.02 s: try again when it has ended',
  })
  const stop = new AbortController()
  const waiting = claimInTime(journal, 'TEST', 5_000, stop.signal)
  stop.abort(new Error('stopped while it waits'))
  await expect(waiting).rejects.toThrow('stopped while it waits')
  await held.release()
  await (await claimInTime(journal, 'TEST', 5_000, new AbortController().signal)).release()
})
