/**
 * What a release says of its series, for people.
 *
 * @import { ReleaseDetail } from './bodies.d.ts'
 */

/**
 * Names and values of a series' members. Codes are shown as words. A dataset keeps its name, which is the publisher's.
 *
 * @param {ReleaseDetail['series']} series
 * @returns {[string, string][]}
 */
export const seriesFacts = (series) =>
  Object.entries(series).flatMap(([member, value]) =>
    value === '' ? [] : [[words(member), member !== 'dataset' && /^[a-z_]+$/.test(value) ? words(value) : value]],
  )

/** @param {string} code */
export const words = (code) => code.replaceAll('_', ' ')
