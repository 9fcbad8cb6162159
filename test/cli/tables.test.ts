import { expect, it } from 'vitest'
import { openTables } from '../../cli/processes/tables.ts'
import { loadConfig } from '../../infra/config.ts'
import { startArchiver, writeSome } from '../archive/support/archived-journal.ts'
import { openTestJournal, temporaryDirectory } from '../support/journal.ts'

it('serves the tables of its own journal’s archive, and of no other', async () => {
  const { journal, directory } = await openTestJournal()
  const open = async (journalId: string) => {
    const config = loadConfig({
      ALMANAC_ARCHIVE: `${directory}/archive`,
      ALMANAC_TABLES: 'pro',
      ALMANAC_DATA_DIR: await temporaryDirectory(),
    })
    const tables = await openTables(config, journalId, { onClose: () => undefined } as never)
    return tables ?? expect.fail('there are no tables')
  }
  const early = { code: 'unavailable', message: 'Nothing is archived yet. Retry in a minute.' }
  await expect((await open(journal.id)).current('releases')).rejects.toMatchObject(early)
  await writeSome(journal, 0, 3)
  const running = startArchiver(journal, directory)
  await running.caughtUp()
  await running.stop()
  await (await open(journal.id)).current('releases')
  const foreign = await open('another')
  const refused = { code: 'unavailable', message: 'ALMANAC_ARCHIVE is the archive of another journal.' }
  await expect(foreign.current('releases')).rejects.toMatchObject(refused)
  await expect(foreign.published('releases')).rejects.toMatchObject(refused)
})
