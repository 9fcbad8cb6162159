import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Statistics of GENESIS by their numbers. */
export const destatisMapping: MappedPublisher = {
  name: 'DESTATIS',
  publisher: 'Federal Statistical Office of Germany',
  licence: 'Datenlizenz Deutschland – Namensnennung – Version 2.0',
  host: 'www-genesis.destatis.de',
  datasets: {
    '61111': { title: 'Consumer price index, monthly (files of table 61111-0002)', checked: 'flat CSV of 406 months' },
  },
  rows: readMappingRows('destatis'),
}
