import type { HttpOptions } from '../../fetch/http.ts'
import type { Source } from '../../source.ts'
import { fetchFiles, fileIdentity } from './fetch.ts'
import { parseFile } from './parse.ts'

/** Data of any publisher, in Almanac's own file format. */
export const file = (options: HttpOptions = {}): Source => ({
  ...fileIdentity,
  fetch: (request) => fetchFiles(request, options),
  parse: parseFile,
})
