/** Environment variable from which the examples read an API key. The program accepts it but does not read it. */
export const KEY_VARIABLE = 'ALMANAC_KEY'
