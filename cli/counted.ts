/** Number with its noun: "1 record", "2,400 records", "1 entry". */
export const counted = (n: number, noun: string, plural = `${noun}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? noun : plural}`
