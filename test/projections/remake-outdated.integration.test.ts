import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { remakeOutdated } from '../../projections/remake-outdated.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { releaseNumber } from '../support/journal-records.ts'
import { append, project, rows, useWorlds } from './support/world.ts'

const world = useWorlds()
const { signal } = new AbortController()
const COUNT = 200

test('makes only tables of another release anew, from the same journal, and the projector goes on behind them', async () => {
  const { journal, client } = await world()
  await append(
    journal,
    'releases',
    Array.from({ length: COUNT }, (_, n) => releaseNumber(n)),
  )
  const sql = await readFile(vintages.table, 'utf8')
  const former = { ...vintages, table: sql.replace('location String', 'location LowCardinality(String)') }
  await project(former, { journal, client })
  const remade: string[] = []
  const remake = (from = journal) =>
    remakeOutdated([vintages], { journal: from, client, signal }, (table) => remade.push(table))

  await remake((await world()).journal)
  expect(remade).toEqual([])
  await remake()
  await remake()
  expect(remade).toEqual(['vintages'])
  const [type] = await rows<{ type: string }>(
    client,
    "SELECT type FROM system.columns WHERE table = 'vintages' AND name = 'location' AND database = currentDatabase()",
  )
  expect(type).toEqual({ type: 'String' })
  await append(journal, 'releases', [releaseNumber(COUNT)])
  await project(vintages, { journal, client })
  expect(await rows(client, 'SELECT toUInt32(count()) AS n FROM vintages')).toEqual([{ n: COUNT + 1 }])
})
