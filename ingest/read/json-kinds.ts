/** A kind of JSON document. `recognises` takes its beginning, without byte order mark and leading white space. */
type JsonKind = {
  readonly name: string
  readonly recognises: (head: string) => boolean
  /** Whether it is the answer to a request that failed. */
  readonly isError?: true
}

/** Defines a kind by texts that all have to be in the beginning. */
const kind = (name: string, ...signs: readonly RegExp[]): JsonKind => ({
  name,
  recognises: (head) => signs.every((sign) => sign.test(head)),
})
/** Defines a kind of objects by texts of which one has to be in the beginning. */
const kindOfAny = (name: string, ...signs: readonly RegExp[]): JsonKind => ({
  name,
  recognises: (head) => head.startsWith('{') && signs.some((sign) => sign.test(head)),
})
const errorKind = (name: string, ...signs: readonly RegExp[]): JsonKind => ({ ...kind(name, ...signs), isError: true })

// The order of members means nothing in JSON, and a file may have been written again by another program.
export const blsAnswer = kindOfAny(
  "JSON of the BLS's API",
  /"status"\s*:\s*"REQUEST_/,
  /"Results"\s*:\s*\[?\s*\{\s*"series"\s*:/,
)
/** Its status may be behind the data points of a vector, too far away. */
export const statCanAnswer = kind(
  "JSON of Statistics Canada's API",
  /^(?:\[\s*)?\{/,
  /"status"\s*:\s*"(?:SUCCESS|FAILED)"\s*,\s*"object"|"vectorDataPoint"\s*:/,
)
/** `Data` alone would be of any service. */
export const singStatAnswer = kindOfAny(
  "JSON of SingStat's API",
  /^(?=.*"Data"\s*:)(?=.*"(?:DataCount|dataLastUpdated|rowType|tableType|rowText)"\s*:)/s,
)
export const cbsAnswer = kind('CBS OData 4', /^\{\s*"@odata\.context"\s*:\s*"https:\/\/datasets\.cbs\.nl\//)
export const onsSeries = kind(
  'ONS time series JSON',
  /^\{/,
  /"(?:years|quarters|months)"\s*:\s*\[|"cdid"\s*:/,
  /"(?:sourceDataset|datasetId)"\s*:/,
)
/** The last sign is that of a bundle of datasets, version 1. */
export const jsonStatMessage = kindOfAny(
  'JSON-stat',
  /"class"\s*:\s*"(?:dataset|collection|dimension)"/,
  /^(?=.*"dimension"\s*:\s*\{)(?=.*"(?:value|size)"\s*:)/s,
  /^\{\s*"[^"]+"\s*:\s*\{\s*(?:"[^"]+"\s*:\s*(?:"[^"]*"|null|\d+)\s*,\s*)*"(?:value|status|dimension)"\s*:/,
)
/** Its schema, its data, its header where the structure comes before the data, or its errors, with `meta` before them. */
export const sdmxJsonMessage = kindOfAny(
  'SDMX-JSON',
  /"\$?schema"\s*:\s*"[^"]*sdmx-json/,
  /"dataSets"\s*:\s*\[/,
  /"data"\s*:\s*\{\s*"(?:dataSets|structures)"/,
  /^(?=.*"sender"\s*:\s*\{)(?=.*"prepared"\s*:\s*")/s,
  /^\{\s*"errors"\s*:\s*\[/,
  /^\{\s*"meta"\s*:.*"errors"\s*:\s*\[\s*\{/s,
)
/**
 * An error is stated, and neither data nor success. Data may come with a member of errors that is empty, or that is about a part
 * of it; and the Bank of Japan's message of a success is that it was one.
 */
const anyError = errorKind(
  'a JSON error message',
  /^\{(?!.*"(?:dimension|dataSets)"\s*:)(?![^{}[\]]*"status"\s*:\s*"?2\d\d\b)/is,
  /^\{[^{}[\]]*"(?:errors?|warning|message|detail|fault)"\s*:\s*(?!null|false|""|\[\s*\]|\{\s*\})|"errors"\s*:\s*\[\s*\{/i,
)

/** Kinds of JSON by which documents are named and read, of which the first that fits counts. */
const jsonKinds: readonly JsonKind[] = [
  errorKind("an error message of the World Bank's API", /^\[\s*\{\s*"message"\s*:\s*\[/),
  kind("JSON of the World Bank's API", /^\[\s*\{[^}]*"per_page"\s*:/),
  errorKind("an error message of FRED's API", /"error_code"\s*:/, /"error_message"\s*:/),
  kind("JSON of FRED's API", /"realtime_start"\s*:/, /"(?:observations|seriess)"\s*:/),
  blsAnswer,
  kind("JSON of UN Comtrade's API", /"elapsedTime"\s*:/),
  statCanAnswer,
  kind("JSON of e-Stat's API", /"GET_STATS_DATA"|"GET_STATS_LIST"/),
  kind("JSON of the BEA's API", /"BEAAPI"\s*:/),
  singStatAnswer,
  kind("JSON of DBnomics' API", /"nomics_server"|"_meta"\s*:/),
  cbsAnswer,
  kind('OData', /"@?odata\.(?:context|metadata)"\s*:/),
  onsSeries,
  kind('GeoJSON', /"type"\s*:\s*"(?:Feature|FeatureCollection)"/),
  // Before formats whose services state errors alike.
  anyError,
  jsonStatMessage,
  sdmxJsonMessage,
  kind('SDMX-JSON', /"dataflows"\s*:/),
]

export const jsonKindOf = (head: string): JsonKind | undefined => jsonKinds.find(({ recognises }) => recognises(head))
