/** A filter in words: each word that is looked for begins a word of what is found. */

/** @param {string} text */
export const lowerCaseWords = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** A filter as an address has it. @param {string} text */
export const filterWords = (text) => lowerCaseWords(text.slice(0, 80)).join(' ')

/**
 * @param {{ readonly words: readonly string[] }} found
 * @param {string} sought
 */
export const hasWords = ({ words }, sought) =>
  lowerCaseWords(sought).every((part) => words.some((word) => word.startsWith(part)))
