/** Its tests notice each mutant of this function. One that survives shows that mutants are not switched on. */
export const noticed = (a: number, b: number): boolean => a < b && b < 10

/** Its tests notice no mutant of this function. One that is killed shows that the tests fail without any. */
export const unnoticed = (a: number): boolean => a > 0
