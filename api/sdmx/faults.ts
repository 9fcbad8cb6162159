import { ProblemError } from '../../contracts/problems.ts'

/** The problem of an answer that would be too long. The detail says how to split the question. */
export const tooLarge = (detail: string): ProblemError => new ProblemError('answer_too_large', detail)

/** The problem of a question that the standard has, and that is not answered here. */
export const notImplemented = (detail: string): ProblemError => new ProblemError('not_implemented', detail)
