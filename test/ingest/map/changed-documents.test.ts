import { describe, expect, it } from 'vitest'
import { DocumentError } from '../../../ingest/source.ts'
import { fixture } from '../sources/fixture.ts'
import { itemsBy } from './national.ts'

/**
 * Documents that look like mapped ones and are not: a further dimension, another adjustment, unit, base or measure, a
 * renamed column. Most are recorded ones, altered; the figures of the others are made up. None gives a figure, and each
 * says what it is.
 */
type Case = readonly [source: string, what: string, bytes: Uint8Array | string, reason: string, detail: string]

/** The fixture with texts replaced wherever they stand; fails if one isn't there, so that a case can't pass by a slip. */
function changed(name: string, ...changes: readonly (readonly [from: string | RegExp, to: string])[]): string {
  let text = new TextDecoder().decode(fixture(name).bytes)
  for (const [from, to] of changes) {
    const after = text.replaceAll(from, to)
    if (after === text) throw new Error(`${name} has no ${from}`)
    text = after
  }
  return text
}

const column = (name: string, more: string, code: string) =>
  changed(
    name,
    [/^(\ufeff?(?:DATAFLOW|"LOCATION").*)$/gm, `$1,${more}`],
    [/^((?:OECD|"[A-Z]{3}",).*)$/gm, `$1,${code}`],
  )

const further: readonly Case[] = [
  [
    'oecd',
    'growth of GDP by industry, in front of the period',
    changed('oecd/QNA.csv', ['TABLE_IDENTIFIER,', 'TABLE_IDENTIFIER,INDUSTRY,'], [',T0102,', ',T0102,C,']),
    'unknown_dimension',
    'INDUSTRY=C',
  ],
  [
    'oecd',
    'unemployment by citizenship, behind the value',
    column('oecd/LFS.csv', 'CITIZENSHIP', 'FOR'),
    'unknown_dimension',
    'CITIZENSHIP=FOR',
  ],
  [
    'oecd',
    'unemployment of the former portal by age',
    column('oecd/HUR.csv', '"AGE"', '"Y15T24"'),
    'unknown_dimension',
    'AGE=Y15T24',
  ],
  [
    'abs',
    'unemployment by industry',
    'DATAFLOW,MEASURE,SEX,AGE,INDUSTRY,TSEST,REGION,FREQ,TIME_PERIOD,OBS_VALUE,UNIT_MEASURE,UNIT_MULT,OBS_STATUS,OBS_COMMENT\nABS:LF(1.0.0),M13,3,1599,C,20,AUS,M,2026-01,4.1,PCT,0,,\n',
    'unknown_dimension',
    'INDUSTRY=C',
  ],
  [
    'bls',
    'prices of one area',
    changed('bls/CU.json', ['"year"', '"area":"Northeast","year"']),
    'unknown_dimension',
    'area=Northeast',
  ],
  [
    'statcan',
    'unemployment by gender, beside the vector',
    changed('statcan/vectors.json', ['"refPer":', '"gender":"Women+","refPer":']),
    'unknown_dimension',
    'gender=Women+',
  ],
  [
    'eurostat',
    'two measures',
    'DATAFLOW,freq,s_adj,age,unit,sex,geo,TIME_PERIOD,OBS_VALUE,PERSONS,OBS_FLAG\nESTAT:UNE_RT_M(1.0),M,SA,TOTAL,PC_ACT,T,AT,2026-01,5.1,240,p\n',
    'unknown_dimension',
    'PERSONS=240',
  ],
  [
    'ons',
    'unemployment of one nation, by a row above the periods',
    '"Title","Unemployment rate"\n"CDID","MGSX"\n"Geography","Wales"\n"Unit","%"\n"2026 APR","4.1"\n',
    'unknown_dimension',
    'Geography=Wales',
  ],
  [
    'ons',
    'unemployment by sex, in JSON',
    changed('ons/MGSX.json', ['"label":', '"sex": "F", "label":']),
    'unknown_dimension',
    'sex=F',
  ],
  [
    'insee',
    'unemployment of women, by a row above the periods',
    changed('insee/001688527.csv', ['"Période"', '"Sexe";"Femmes";""\n"Période"']),
    'unknown_dimension',
    'Sexe=Femmes',
  ],
  [
    'singstat',
    'GDP by residency',
    changed('singstat/M015651.json', ['"rowText"', '"residency":"Resident","rowText"']),
    'unknown_dimension',
    'residency=Resident',
  ],
  [
    'cbs',
    'prices by a dimension without a code',
    changed('cbs/86141NED.json', ['"Perioden"', '"Regio": null, "Perioden"']),
    'unknown_dimension',
    'Regio=null',
  ],
  [
    'eurostat',
    'unemployment in a flat message that does not say so',
    '<m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="c"><m:Header><m:ID>1</m:ID><m:Structure structureID="S"><c:StructureUsage><Ref agencyID="ESTAT" id="UNE_RT_M"/></c:StructureUsage></m:Structure></m:Header><m:DataSet structureRef="S"><Obs freq="M" s_adj="SA" age="TOTAL" unit="PC_ACT" sex="T" citizen="FOR" geo="AT" TIME_PERIOD="2026-01" OBS_VALUE="5.1"/></m:DataSet></m:StructureSpecificData>',
    'unknown_dimension',
    'citizen=FOR',
  ],
]

/** Titles as the ONS and INSEE print them elsewhere than in the fixtures. */
const mgsx =
  '"Title","Unemployment rate (aged 16 and over, seasonally adjusted): %"\n"CDID","MGSX"\n"Unit","%"\n"2026 MAR","4.9"\n'
const goods =
  '"Title","Trade in Goods (T): WW: Exports: BOP: CP: SA"\n"CDID","BOKG"\n"PreUnit","£"\n"Unit","m"\n"2024 SEP","30000"\n'
const sdmx =
  'DATAFLOW,IDBANK,TITLE_FR,TIME_PERIOD,OBS_VALUE\nFR1:SERIES_BDM(1.0),001688527,Taux de chômage au sens du BIT - Ensemble - France hors Mayotte - Données CVS,2025-Q4,7.9\n'

const otherSeries: readonly Case[] = [
  [
    'oecd',
    'growth of what one sector sells to another',
    changed('oecd/QNA.csv', [',S1,S1,', ',S1,S13,']),
    'unknown_series',
    'COUNTERPART_SECTOR=S13',
  ],
  [
    'oecd',
    'growth of another table',
    changed('oecd/QNA.csv', [',T0102,', ',T0107,']),
    'unknown_series',
    'TABLE_IDENTIFIER=T0107',
  ],
  ['oecd', 'unemployment of women', changed('oecd/LFS.csv', [',_T,Y_GE15', ',F,Y_GE15']), 'unknown_series', 'SEX=F'],
  [
    'bls',
    'prices in the Northeast',
    changed('bls/CU.json', ['CUUR0000SA0', 'CUUR0100SA0']),
    'no_mapped_series',
    'SERIES_ID=CUUR0100SA0',
  ],
  [
    'singstat',
    'GDP in another unit',
    changed('singstat/M015651.json', ['Million Dollars', 'Per Cent']),
    'no_mapped_series',
    'SERIES=',
  ],
  [
    'statcan',
    'a rate in thousands',
    changed('statcan/vectors.json', ['"scalarFactorCode":0', '"scalarFactorCode":3']),
    'changed_series',
    'UNIT_MULT is "3", not 0',
  ],
  [
    'insee',
    'a rate with a base',
    changed('insee/001688527.csv', ['Données CVS', 'Données CVS - Base 2015']),
    'changed_series',
    'Données CVS - Base 2015", not Taux de chômage',
  ],
  [
    'insee',
    'prices of one product and place, with the base in other words',
    changed('insee/001769682.csv', [
      'Base 2015 - Ensemble des ménages - France - Ensemble',
      'Référence 2025 - Tabac - Martinique',
    ]),
    'changed_series',
    'Référence 2025 - Tabac - Martinique", not Indice CVS',
  ],
  [
    'insee',
    'prices whose base is not printed',
    changed('insee/001769682.csv', ['Base 2015 - ', '']),
    'changed_series',
    'not Indice CVS des prix à la consommation - Base 2015',
  ],
  [
    'insee',
    'unemployment of women in one place, not adjusted',
    changed('insee/001688527.csv', [
      'Ensemble - France hors Mayotte - Données CVS',
      'Femmes - Martinique - Données brutes',
    ]),
    'changed_series',
    'Femmes - Martinique - Données brutes", not Taux',
  ],
  [
    'ons',
    'trade whose codes stand above each other’s columns',
    changed('ons/MRET.csv', ['"SESM","BOKG","LKVB","BOKH"', '"SESM","BOKH","LKVB","BOKG"']),
    'changed_series',
    'TITLE is "BOP:Exports:CP SA:Total Trade in Goods £m", not Balance of Payments:Imports',
  ],
  [
    'ons',
    'unemployment of men, not adjusted',
    changed('ons/MGSX.json', ['aged 16 and over, seasonally adjusted', 'aged 16-64, males, NOT seasonally adjusted']),
    'changed_series',
    'males, NOT seasonally adjusted)", not Unemployment rate (aged 16 and over, seasonally adjusted)',
  ],
  [
    'ons',
    'unemployment of one nation, by its note',
    changed('ons/MGSX.json', ['UK: Aged 16 and over', 'Scotland: males']),
    'changed_series',
    'KEY_NOTE is "Scotland: males", not UK: Aged 16 and over',
  ],
  [
    'ons',
    'GDP in volumes in place of current prices',
    '"Title","Gross Domestic Product: chained volume measures: Seasonally adjusted £m"\n"CDID","YBHA"\n"PreUnit","£"\n"Unit","m"\n"2024 Q1","640000"\n',
    'changed_series',
    'not Gross Domestic Product at market prices: Current price',
  ],
  [
    'dosm',
    'a renamed column',
    changed('dosm/lfs_month.csv', [',u_rate', ',unemployment_rate']),
    'unknown_format',
    'is no format that is read',
  ],
  ['oecd', 'a renamed column of values', changed('oecd/LFS.csv', ['OBS_VALUE', 'RATE']), 'missing_column', 'OBS_VALUE'],
  ['oecd', 'a renamed dimension', changed('oecd/QNA.csv', ['PRICE_BASE', 'PRICE']), 'unknown_series', 'PRICE=L'],
]

describe.each([
  ['a further dimension', further],
  ['another series', otherSeries],
] as const)('a document of %s', (_, cases) => {
  it.each(cases)('%s: %s', (source, __, bytes, reason, detail) => {
    expect(outcomeOf(source, bytes)).toEqual([{ reason, detail: expect.stringContaining(detail) }])
  })
})

it('without the change they are read', () => {
  for (const [source, bytes] of [
    ['ons', mgsx],
    ['ons', goods],
    ['insee', sdmx],
  ] as const)
    expect(itemsBy(source, bytes)).toMatchObject([{ kind: 'figure' }])
})

/** The refusal, or the first reject, of a document without figures. Items that are figures are returned, to be seen. */
function outcomeOf(source: string, bytes: Uint8Array | string): unknown {
  try {
    const items = itemsBy(source, bytes)
    const figures = items.filter(({ kind }) => kind !== 'reject')
    return figures.length > 0
      ? figures
      : items.slice(0, 1).map((item) => item.kind === 'reject' && { reason: item.reason, detail: item.detail })
  } catch (error) {
    if (error instanceof DocumentError) return [{ reason: error.reason, detail: error.message }]
    throw error
  }
}
