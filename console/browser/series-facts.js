/**
 * What a release says of its series, for people.
 *
 * @import { ReleaseDetail } from './bodies.d.ts'
 */
import { adjective } from './periods.js'

/**
 * Names and values of a series' members. Codes are shown as words. A dataset keeps its name, which is the publisher's. How a
 * figure is derived is left out: its inputs say it. A percentage or an index is given for a year only if it says so.
 *
 * @param {ReleaseDetail['series']} series
 * @returns {[string, string][]}
 */
export function seriesFacts({ id, frequency, derivation: _, annualization, ...others }) {
  const isPlain = annualization === 'not_annualized' && ['percent', 'index'].includes(others.unit)
  const facts = { ...others, ...(isPlain ? {} : { annualization }) }
  const text = (/** @type {string} */ member, /** @type {string} */ value) =>
    member !== 'dataset' && /^[a-z_]+$/.test(value) ? words(value) : value
  /** @type {[string, string][]} */
  const known = Object.entries(facts).map(([member, value]) => [words(member), text(member, value)])
  return [['series id', id], ['frequency', adjective(frequency)], ...known.filter(([, value]) => value !== '')]
}

/** @param {string} code */
export const words = (code) => code.replaceAll('_', ' ')
