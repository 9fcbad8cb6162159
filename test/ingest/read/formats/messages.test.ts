import { expect, it } from 'vitest'
import { fixture } from '../../sources/fixture.ts'
import { observationsOf } from './observations.ts'

/** Figures of publishers’ messages, picked by hand: place, codes that tell the series, period, printed value, and what is proven. */
const picked = [
  ['ecb-exr.xml', 'series 1, observation 1', { CURRENCY: 'USD' }, '1999-01-04', '1.1789', 'ECB:ECB_EXR1'],
  ['insee-cna.xml', 'series 1, observation 2', { PRODUIT: 'A10-BE' }, '2013', '92.7', 'FR1:CNA-2010-CONSO-SI-A17'],
  ['imf-pcps.xml', 'series 1, observation 1', { COMMODITY: 'PZINC' }, '2021-01', '2705.345', 'IMF:PCPS'],
  [
    'eurostat-demography.xml',
    'series 1, observation 2',
    { DEMO: 'LEXPNSIT', COUNTRY: 'BE' },
    '2007',
    '80.2',
    'ESTAT:DEMOGRAPHY',
  ],
  ['imf-ecofin.xml', 'series 1, observation 3', { INDICATOR: 'LU_PE_NUM' }, '2002-Q3', '2196', 'IMF:ECOFIN_DSD'],
  [
    'oecd-qna.json',
    'series 1:0:0:0, observation 2',
    { LOCATION: 'AUT', MEASURE: 'VOBARSA' },
    '2009-Q3',
    '289832.36302',
    ':QNA',
  ],
  [
    'eurostat-nama-gdp.json',
    'dataset nama_gdp_c, value 67',
    { geo: 'IT', unit: 'EUR_HAB' },
    '2013',
    '25600',
    ':nama_gdp_c',
  ],
  ['cpi.csv', 'line 3', { REF_AREA: '128' }, '2018-Q2', '0.696517412935312', 'QUANTHUB:CPI'],
  ['bis-der.csv', 'line 4', { DER_TYPE: 'U' }, '2004', '14206.490766', 'BIS:BIS_DER'],
] as const

it.each(picked)('%s, %s', (name, location, codes, period, value, proven) => {
  const found = observationsOf(fixture(`messages/${name}`).bytes).find((o) => o.location === location)
  expect(found).toMatchObject({ codes, period, value })
  const { agency, id } = found?.dataset.dataflow ?? found?.dataset.structure ?? {}
  expect(`${agency}:${id}`).toBe(proven)
})
