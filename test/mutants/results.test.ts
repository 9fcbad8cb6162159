import { expect, it } from 'vitest'
import { countsOf, mutantTable } from './results.ts'

const place = { replacement: '', location: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } } }
const mutants = (...statuses: readonly string[]) => ({
  source: '',
  mutants: statuses.map((status) => ({ status, ...place })),
})

it('a mutant that hangs counts as killed, and one that was left out does not count', () => {
  expect(countsOf({ files: { 'a.ts': mutants('Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored') } })).toEqual([
    { file: 'a.ts', killed: 2, survived: 1, noCoverage: 1 },
  ])
})

it('the table has the newest result of each file, and keeps the rows of files without one', () => {
  const result = { commit: '0123456789abcdef', isChanged: false }
  const counts = (file: string, killed: number, survived: number) => ({
    file,
    killed,
    survived,
    noCoverage: 0,
    ...result,
  })
  const before = mutantTable(['a.ts', 'b.ts'], [counts('a.ts', 1, 3), counts('b.ts', 2, 2)], '')
  const again = [counts('a.ts', 2, 2), { ...counts('a.ts', 3, 1), isChanged: true }, counts('types.ts', 0, 0)]
  expect(mutantTable(['a.ts', 'b.ts', 'types.ts', 'c.ts'], again, before).split('\n').slice(2)).toEqual([
    '| `a.ts` | 4 | 3 | 1 | 0 | 75.0 % | 012345678, changed |',
    '| `b.ts` | 4 | 2 | 2 | 0 | 50.0 % | 012345678 |',
    '| all | 8 | 5 | 3 | 0 | 62.5 % |  |',
  ])
})
