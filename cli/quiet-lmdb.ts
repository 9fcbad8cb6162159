/**
 * Drops lmdb-js's own console message about a failed commit. lmdb-js prints the error with its stack and also rejects the
 * commit's promise (`startWriting` in its write.js, 3.5.6). The rejection becomes a JournalError or AccessError with a clear
 * message, so the first message is not needed. Everything else that is written to `console.error` stays.
 */
export function quietLmdb(): void {
  const print = console.error.bind(console)
  console.error = (...args: unknown[]) => {
    if (!isFailedCommit(args)) print(...args)
  }
}

const isFailedCommit = ([error, ...others]: readonly unknown[]): boolean =>
  others.length === 0 && error instanceof Error && /[\\/]lmdb[\\/](write\.js|dist[\\/])/.test(error.stack ?? '')
