import { journalContract } from '../contracts/journal-contract.ts'
import { TRUNCATED } from '../contracts/support/journal-world.ts'
import { MemoryServer } from '../support/memory-journal/server.ts'

const server = new MemoryServer()

journalContract('in memory', {
  open: async () => server.open(),
  truncate: async (address, offset) => {
    const journal = server.open()
    const [first] = (await journal.read(address, offset)).records
    await journal.retain((first?.timestamp ?? 0) + (TRUNCATED.retentionMs ?? 0))
    await journal.close()
  },
  compactsAtOnce: true,
  histories: 30,
})
