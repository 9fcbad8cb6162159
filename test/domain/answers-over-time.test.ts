import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnsweringPrint, answersOverTime } from '../../domain/answers-over-time.ts'

const asked = { figures: ['year', 'quarter'], needed: ['year', 'quarter'] }

/** Prints in the order of time, as `place year/quarter on DAY`; a figure may be left out. */
const printsOf = (...lines: readonly string[]): AnsweringPrint[] =>
  lines.map((line, i) => {
    const [place, values = '', , day = ''] = line.split(' ')
    const [year = '', quarter = ''] = values.split('/')
    const figures = { ...(year && { year }), ...(quarter && { quarter }) }
    return { place: Number(place), figures, released_on: `2024-01-${day.padStart(2, '0')}`, offset: i + 1 }
  })

/** Each answer as `number value from DAY (place of its series, offset)`. */
const answers = (...lines: readonly string[]): string[] =>
  answersOverTime(printsOf(...lines), asked).map(
    ({ number, value, validFrom, print, offset }) =>
      `${number} ${value} from ${Number(validFrom.slice(-2))} (${print.place}, ${offset})`,
  )

describe('the answers for a period over time', () => {
  it('are the prints of a series that is alone, also several of a day and its withdrawal', () => {
    expect(answers('1 5/1 on 3', '1 6/1 on 3', '1 / on 7', '1 7/2 on 9')).toEqual([
      ...['1 5 from 3 (1, 1)', '1 6 from 3 (1, 2)', '1 null from 7 (1, 3)', '1 7 from 9 (1, 4)'],
      ...['2 1 from 3 (1, 1)', '2 1 from 3 (1, 2)', '2 null from 7 (1, 3)', '2 2 from 9 (1, 4)'],
    ])
  })

  it('are those of a worse series until a better one has printed, and again once that has withdrawn', () => {
    expect(answers('2 6.6/1 on 1', '1 5.3/2 on 3', '2 6.7/1 on 4', '1 / on 8')).toEqual([
      ...['1 6.6 from 1 (2, 1)', '1 5.3 from 3 (1, 2)', '1 6.7 from 8 (2, 4)'],
      ...['2 1 from 1 (2, 1)', '2 2 from 3 (1, 2)', '2 1 from 8 (2, 4)'],
    ])
  })

  it('are those at the end of a day, whatever other series said within it', () => {
    expect(answers('2 6/1 on 3', '1 5/2 on 3', '2 7/1 on 3')).toEqual(['1 5 from 3 (1, 2)', '2 2 from 3 (1, 2)'])
    expect(answers('1 5/2 on 3', '1 / on 8', '2 6/1 on 8')).toEqual(
      answers('1 5/2 on 3', '2 6/1 on 8', '1 / on 8').map((text) => text.replace('(2, 2)', '(2, 3)')),
    )
  })

  it('are those of a series with all figures, before a better one without', () => {
    expect(answers('1 5/ on 1', '2 6/1 on 3', '1 5/2 on 5')).toEqual([
      ...['1 5 from 1 (1, 1)', '1 6 from 3 (2, 2)', '1 5 from 5 (1, 3)'],
      ...['2 1 from 3 (2, 2)', '2 2 from 5 (1, 3)'],
    ])
  })

  it('end with the record by which nothing answers any more', () => {
    expect(answers('2 /1 on 1', '1 5/ on 3', '1 / on 5', '2 / on 7', '1 / on 9')).toEqual([
      ...['1 5 from 3 (1, 2)', '1 null from 5 (1, 3)'],
      ...['2 1 from 1 (2, 1)', '2 null from 3 (1, 2)', '2 1 from 5 (2, 3)', '2 null from 7 (2, 4)'],
    ])
  })

  it('may be the nth print alone, which a withdrawal does not count for, if it was there by a day', () => {
    const prints = printsOf('1 5/1 on 3', '1 / on 5', '1 6/1 on 7')
    const nth = (print: number, asOf = '') =>
      answersOverTime(prints, { ...asked, print, asOf }).map(({ number, value, validFrom }) => [
        number,
        value,
        validFrom,
      ])
    expect(nth(1)).toEqual([
      [1, '5', '2024-01-03'],
      [2, '1', '2024-01-03'],
    ])
    expect(nth(2).map(([, value]) => value)).toEqual(['6', '1'])
    expect(nth(3)).toEqual([])
    expect(nth(2, '2024-01-07')).toHaveLength(2)
    expect(nth(2, '2024-01-06')).toEqual([])
  })

  it('give for each day the print in force of the best series', () => {
    const figures = fc.constantFrom('5/1', '6/1', '7/2', '8/', '/3', '/')
    const line = fc.tuple(fc.integer({ min: 1, max: 3 }), figures, fc.integer({ min: 1, max: 6 }))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (drawn) => {
        const inTime = drawn.toSorted(([, , a], [, , b]) => a - b)
        const prints = printsOf(...inTime.map(([place, values, day]) => `${place} ${values} on ${day}`))
        const entries = answersOverTime(prints, asked)
        for (let day = 1; day <= 6; day++) {
          const on = `2024-01-0${day}`
          const inForce = [1, 2, 3].flatMap((place) => {
            const print = prints.findLast((one) => one.place === place && one.released_on <= on)
            return print && Object.keys(print.figures).length > 0 ? print : []
          })
          const answer = inForce.find((one) => Object.keys(one.figures).length === 2) ?? inForce[0]
          asked.figures.forEach((figure, i) => {
            const last = entries.findLast(({ number, validFrom }) => number === i + 1 && validFrom <= on)
            const value = answer?.figures[figure] ?? null
            expect(last?.value ?? null).toBe(value)
            if (value !== null) expect(last?.print).toBe(answer)
          })
        }
        const places = entries.map(({ number, offset }) => `${number} ${offset}`)
        expect(new Set(places).size).toBe(places.length)
      }),
    )
  })
})
