/** The program as one types it in its own directory. Messages and usages write it so, as the documents do. */
export const program = './almanac'
