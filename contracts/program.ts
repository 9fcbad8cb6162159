/** The program as typed in its own directory. Messages, usages and documents write it so. */
export const program = './almanac'
