import { describe, expect, it } from 'vitest'
import { figuresOf, rejectsOf, summary } from '../sources/fixture.ts'
import { itemsBy } from './national.ts'

/**
 * Answers of INSEE's macroeconomic database, SDMX-ML 2.1 structure-specific. No whole answer is on record. Header and
 * attributes are as in excerpts that public repositories have of answers from 2022 to 2026. The dimensions are those of
 * the dataflows CHOMAGE-TRIM-NATIONAL and IPC-2015. The values are made up.
 */
const sdmx = 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1'
const answer = (...series: string[]) =>
  `<?xml version='1.0' encoding='UTF-8'?>
<message:StructureSpecificData xmlns:ss="${sdmx}/data/structurespecific" xmlns:footer="${sdmx}/message/footer" xmlns:ns1="urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=FR1:SERIES_BDM(1.0):ObsLevelDim:TIME_PERIOD" xmlns:message="${sdmx}/message" xmlns:common="${sdmx}/common" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <message:Header>
    <message:ID>SERIES_BDM_1</message:ID>
    <message:Test>false</message:Test>
    <message:Prepared>2026-03-01T08:00:00</message:Prepared>
    <message:Sender id="FR1"><common:Name xml:lang="fr">INSEE</common:Name></message:Sender>
    <message:Structure structureID="FR1_SERIES_BDM_1_0" namespace="urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=FR1:SERIES_BDM(1.0):ObsLevelDim:TIME_PERIOD" dimensionAtObservation="TIME_PERIOD">
      <common:StructureUsage><Ref agencyID="FR1" id="SERIES_BDM" version="1.0"/></common:StructureUsage>
    </message:Structure>
    <message:Source xml:lang="fr">Banque de données macro-économiques</message:Source>
  </message:Header>
  <message:DataSet ss:dataScope="DataStructure" xsi:type="ns1:DataSetType" ss:structureRef="FR1_SERIES_BDM_1_0">
    ${series.join('\n    ')}
  </message:DataSet>
</message:StructureSpecificData>
`

type Known = { readonly title: string; readonly attributes: string; readonly dimensions: string; readonly obs: string }

const prices = (correction: string) =>
  `SERIE_ARRETEE="TRUE" INDICATEUR="IPC" FORME-VENTE="SO" COICOP2016="00" PRIX_CONSO="SO" NATURE="INDICE" MENAGES_IPC="ENSEMBLE" CORRECTION="${correction}" BASIND="2015"`
const obs = (period: string, value: string, more = 'OBS_STATUS="A"') =>
  `<Obs TIME_PERIOD="${period}" OBS_VALUE="${value}" ${more} OBS_QUAL="DEF" OBS_TYPE="A"/>`
const known: Readonly<Record<string, Known>> = {
  '001688527': {
    title: 'Taux de chômage au sens du BIT - Ensemble - France hors Mayotte - Données CVS',
    attributes:
      'FREQ="T" TITLE_EN="ILO unemployment rate - Total - France excluding Mayotte - SA data" LAST_UPDATE="2026-02-10" UNIT_MEASURE="POURCENT" UNIT_MULT="0" REF_AREA="FR-D976" DECIMALS="1"',
    dimensions: 'SERIE_ARRETEE="FALSE" INDICATEUR="CTTXC" NATURE="TAUX" SEXE="0" AGE="00-" CORRECTION="CVS"',
    obs: obs('2025-Q4', '7.9') + obs('2025-Q3', '7.7', 'OBS_STATUS="P" OBS_REV="1"') + obs('2025-Q2', 'NaN'),
  },
  '001759970': {
    title: 'Indice des prix à la consommation - Base 2015 - Ensemble des ménages - France - Ensemble',
    attributes:
      'FREQ="M" TITLE_EN="Consumer price index" LAST_UPDATE="2026-01-15" UNIT_MEASURE="SO" UNIT_MULT="0" REF_AREA="FE" DECIMALS="2"',
    dimensions: prices('BRUT'),
    obs: obs('2025-12', '121.5', 'OBS_STATUS="A" DATE_JO="2026-01-16"'),
  },
  '001769682': {
    title: 'Indice CVS des prix à la consommation - Base 2015 - Ensemble des ménages - France - Ensemble',
    attributes:
      'FREQ="M" TITLE_EN="SA consumer price index" LAST_UPDATE="2026-01-15" UNIT_MEASURE="SO" UNIT_MULT="0" REF_AREA="FE" DECIMALS="2"',
    dimensions: prices('CVS'),
    obs: obs('2025-12', '121.7'),
  },
}
const seriesOf = (idBank: string, more: string, ending = '') => {
  const { title = '', attributes = '', obs = '' } = known[idBank] ?? {}
  return `<Series IDBANK="${idBank}" ${more} TITLE_FR="${title}${ending}" ${attributes}>${obs}</Series>`
}
const dimensionsOf = (idBank: string): string => known[idBank]?.dimensions ?? ''
const ids = Object.keys(known)
const figures = [
  ['FRA.cpi.M.INSEE.SERIES_BDM.index.NSA.2015=100', '2025-12', { value: '121.5' }],
  ['FRA.cpi.M.INSEE.SERIES_BDM.index.SA.2015=100', '2025-12', { value: '121.7' }],
  ['FRA.unemployment.Q.INSEE.SERIES_BDM.percent.SA', '2025-Q3', { rate: '7.7' }],
  ['FRA.unemployment.Q.INSEE.SERIES_BDM.percent.SA', '2025-Q4', { rate: '7.9' }],
]
const read = (...series: string[]) => itemsBy('insee', answer(...series))
const sorted = (items: ReturnType<typeof read>) =>
  summary(items).toSorted(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1))

describe('an answer of INSEE in SDMX-ML is read for every series of the mapping', () => {
  it.each([
    ['with the attributes of SERIES_BDM alone', (id: string) => seriesOf(id, '')],
    ['with the dimensions of their dataflows', (id: string) => seriesOf(id, dimensionsOf(id))],
    ['with the time of collection, as formerly', (id: string) => seriesOf(id, 'TIME_PER_COLLECT="PERIODE"')],
  ])('%s', (_, series) => {
    const items = read(...ids.map(series))
    expect(rejectsOf(items)).toEqual([])
    expect(sorted(items)).toEqual(figures)
  })

  it.each([' - Série arrêtée', ' - Séries arrêtées'])('when prices on the base 2015 have ended: %j', (ending) => {
    const stopped = (id: string) => seriesOf(id, dimensionsOf(id), id === '001688527' ? '' : ending)
    expect(sorted(read(...ids.map(stopped)))).toEqual(figures)
  })
})

describe('a series of INSEE in SDMX-ML is rejected', () => {
  it.each([
    ['of women', '001688527', 'SEXE="0"', 'SEXE="2"', 'changed_series', 'SEXE is "2"'],
    ['of an age', '001688527', 'AGE="00-"', 'AGE="15-24"', 'changed_series', 'AGE is "15-24"'],
    ['not adjusted', '001688527', 'CORRECTION="CVS"', 'CORRECTION="BRUT"', 'changed_series', 'CORRECTION is "BRUT"'],
    ['on another base', '001759970', 'BASIND="2015"', 'BASIND="2025"', 'changed_series', 'BASIND is "2025"'],
    ['of changes', '001759970', 'NATURE="INDICE"', 'NATURE="GLISSEMENT_ANNUEL"', 'changed_series', 'NATURE is'],
    ['with a further dimension', '001688527', 'SEXE="0"', 'DIPLOME="1"', 'unknown_dimension', 'DIPLOME=1'],
  ])('%s', (_, id, from, to, reason, detail) => {
    const items = read(seriesOf(id, dimensionsOf(id).replace(from, to)))
    expect(figuresOf(items)).toEqual([])
    expect(rejectsOf(items)[0]).toMatchObject({ reason, detail: expect.stringContaining(detail) })
  })

  it('in millions, or under the title of another series', () => {
    const [id = ''] = ids
    const [millions, title] = ['UNIT_MULT="6"', 'Femmes - France hors Mayotte'].map((text, i) =>
      read(seriesOf(id, '').replace(i === 0 ? 'UNIT_MULT="0"' : 'Ensemble - France hors Mayotte', text)),
    )
    expect(rejectsOf(millions ?? [])[0]).toMatchObject({ reason: 'unknown_unit' })
    expect(rejectsOf(title ?? [])[0]).toMatchObject({ reason: 'changed_series' })
  })
})
