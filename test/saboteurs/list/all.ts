import type { Saboteur } from '../saboteur.ts'
import { accessSaboteurs } from './access.ts'
import { apiSaboteurs } from './api.ts'
import { archiveSaboteurs } from './archive.ts'
import { derivedSaboteurs } from './derived.ts'
import { figureSaboteurs } from './figures.ts'
import { ingestSaboteurs } from './ingest.ts'
import { journalSaboteurs } from './journal.ts'
import { operationSaboteurs } from './operations.ts'
import { streamSaboteurs } from './streams.ts'

export const saboteurs: readonly Saboteur[] = [
  ...journalSaboteurs,
  ...derivedSaboteurs,
  ...accessSaboteurs,
  ...streamSaboteurs,
  ...figureSaboteurs,
  ...ingestSaboteurs,
  ...apiSaboteurs,
  ...archiveSaboteurs,
  ...operationSaboteurs,
]
