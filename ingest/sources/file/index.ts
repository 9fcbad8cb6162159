import type { Source } from '../../source.ts'
import type { SourceIdentity } from '../shared/fetch-documents.ts'
import type { HttpOptions } from '../shared/http.ts'
import { fetchFiles } from './fetch.ts'
import { parseFile } from './parse.ts'

const identity: SourceIdentity = {
  name: 'FILE',
  publisher: 'As the file says',
  licence: 'As the file says',
  datasets: {},
}

/** Data of any publisher, in Almanac's own file format. */
export const file = (options: HttpOptions = {}): Source => ({
  ...identity,
  fetch: (request) => fetchFiles(identity, request, options),
  parse: parseFile,
})
