import type { Evidence, RestAnswer, RestQuestion } from './evidence.ts'

type Entry = RestAnswer['entries'][number]

/** An answer of 1 ms, or a 404 with this code. */
const answer = (at: number, question: RestQuestion, told: readonly Entry[] | string): RestAnswer => ({
  question,
  process: 'process 1',
  askedAt: at,
  answeredAt: at + 1,
  status: typeof told === 'string' ? 404 : 200,
  code: typeof told === 'string' ? told : null,
  entries: typeof told === 'string' ? [] : told,
})

const index = (value: string, released_on: string): Entry => ({
  period: '2025-01',
  transformation: '',
  value,
  released_on,
})
const rates = (values: Readonly<Record<string, string | null>>, released_on: string): Entry[] =>
  Object.entries(values).map(([transformation, value]) => ({ period: '2025-01', transformation, value, released_on }))

/** Right answers about the records of `soundEvidence`, while they were written and in the end. */
export function soundAnswers(): Pick<Evidence, 'answers' | 'finalAnswers'> {
  const [usa, inflation] = [
    { country: 'USA', indicator: 'cpi' },
    { country: 'DEU', indicator: 'inflation' },
  ] as const
  const published = { year_over_year: '5.3', month_over_month: '2.0', year_to_date: '2.0' }
  const vintages = Object.entries(published).flatMap(([transformation, value]) => [
    ...rates({ [transformation]: value }, '2025-03-01'),
    ...rates({ [transformation]: null }, '2025-06-01'),
  ])
  const newest: RestQuestion = { operation: 'newest', ...inflation }
  const history: RestQuestion = { operation: 'vintages', ...inflation }
  const unavailable = { ...answer(20, { operation: 'vintages', ...usa }, 'unavailable'), status: 503 }
  return {
    answers: [
      answer(12, { operation: 'newest', ...usa }, [index('100.0', '2025-03-01')]),
      unavailable,
      answer(35, { operation: 'newest', ...usa, period: '2025-01' }, [index('102', '2025-05-01')]),
      answer(45, { operation: 'vintages', ...usa }, [
        index('100', '2025-03-01'),
        index('101', '2025-04-01'),
        index('102', '2025-05-01'),
      ]),
      answer(50, { operation: 'newest', ...usa, day: '2025-03-15' }, [index('100', '2025-03-01')]),
      answer(55, { operation: 'observations', ...usa, asOf: '2025-02-01' }, 'no_dated_evidence'),
      answer(60, newest, 'no_complete_publication'),
      answer(95, { operation: 'observations', ...inflation }, rates(published, '2025-03-01')),
    ],
    finalAnswers: [
      { question: newest, answer: answer(500, newest, 'no_complete_publication') },
      { question: history, answer: answer(500, history, vintages) },
    ],
  }
}
