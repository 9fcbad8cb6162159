/**
 * lmdb-js prints a failed commit to the console, with its stack, besides rejecting the promise of the commit
 * (`startWriting` in its write.js, 3.5.6). The rejection is what becomes a JournalError or AccessError and is told in a
 * sentence, so the print is left out. Everything else that goes to `console.error` still does.
 */
export function quietLmdb(): void {
  const print = console.error.bind(console)
  console.error = (...args: unknown[]) => {
    if (!isFailedCommit(args)) print(...args)
  }
}

const isFailedCommit = ([error, ...others]: readonly unknown[]): boolean =>
  others.length === 0 && error instanceof Error && /[\\/]lmdb[\\/](write\.js|dist[\\/])/.test(error.stack ?? '')
