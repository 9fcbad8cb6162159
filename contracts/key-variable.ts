/** Environment variable from which the examples read an API key. The program itself allows it and doesn't read it. */
export const KEY_VARIABLE = 'ALMANAC_KEY'
