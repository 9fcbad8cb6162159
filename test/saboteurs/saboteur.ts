/** A fault that somebody might make in a safeguard, as a replacement of a line or two of one file. */
export type Saboteur = {
  readonly name: string
  /** Number of the promise in `docs/invariants.md`. */
  readonly promise: number
  /** What goes wrong with it, as a clause; a cell of the table. */
  readonly fault: string
  /** The file, and the text in it that is replaced. The text stands in it exactly once. */
  readonly file: string
  readonly find: string
  readonly replace: string
} & ({ readonly caughtBy: string } | { readonly survives: string })

/** Test file that must fail; undefined for a saboteur that is known to survive, whose `survives` has the reason. */
export const catcherOf = (saboteur: Saboteur): string | undefined =>
  'caughtBy' in saboteur ? saboteur.caughtBy : undefined

/** Returns the text of the file with the fault. Throws unless the replaced text stands in it exactly once. */
export function sabotaged({ name, file, find, replace }: Saboteur, text: string): string {
  const places = text.split(find).length - 1
  if (find === '' || places !== 1)
    throw new Error(`${name}: the text to replace stands ${places} times in ${file}, and must stand once:\n${find}`)
  if (find === replace) throw new Error(`${name}: the replacement changes nothing`)
  return text.replace(find, () => replace)
}
