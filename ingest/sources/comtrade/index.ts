import { publishedSource, type RemoteOptions } from '../../fetch/published-source.ts'
import type { Source } from '../../source.ts'
import { datasetOf, parseComtrade } from './parse.ts'
import { type ComtradeOptions, comtradeQuestions } from './questions.ts'

const datasets = {
  [datasetOf('M')]: 'Merchandise exports and imports, monthly',
  [datasetOf('A')]: 'Merchandise exports and imports, annual',
}

/** UN Comtrade: merchandise trade with the world, as its reporters declare it, in US dollars. */
export const comtrade = (options: ComtradeOptions & RemoteOptions = {}): Source =>
  publishedSource(
    {
      name: 'UNSD',
      publisher: 'United Nations Statistics Division',
      licence: 'UN Comtrade Terms of Use',
      datasets,
      hosts: ['comtradeapi.un.org'],
      downloadable: Object.keys(datasets),
      questions: (dataset, request) => comtradeQuestions(dataset, options, request),
      parse: parseComtrade,
    },
    options,
  )
