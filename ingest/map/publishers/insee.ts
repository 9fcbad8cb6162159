import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/**
 * Components of the SDMX answers that may have any code. Answers state the idBank, the title and attributes; some also
 * state the dimensions of the dataflow to which the series belongs. Of these the rows compare the ones that are known.
 */
const free = Object.fromEntries(
  'LAST_UPDATE REF_AREA TITLE_EN UNIT_MEASURE TIME_PER_COLLECT SERIE_ARRETEE COICOP2016 FORME-VENTE PRIX_CONSO'
    .split(' ')
    .map((name) => [name, 'the idBank and the title say it']),
)

/**
 * Series of INSEE's macroeconomic database by their idBank, as CSV of a page or as SDMX.
 * Source: https://www.insee.fr/fr/information/2868055
 */
export const inseeMapping: MappedPublisher = {
  name: 'INSEE',
  publisher: 'Institut national de la statistique et des études économiques',
  licence: 'Licence Ouverte 2.0',
  agency: 'FR1',
  host: 'bdm.insee.fr',
  datasets: {
    SERIES_BDM: {
      title: 'Unemployment rate, quarterly, and consumer price index, monthly',
      structures: ['SERIES_BDM'],
      idIn: 'IDBANK',
      free,
      requests: ['/series/sdmx/data/SERIES_BDM/001688527+001759970+001769682'],
      checked: 'CSV of two series',
    },
  },
  rows: readMappingRows('insee'),
}
