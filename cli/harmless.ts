/** A text without what a terminal would obey: line ends, escape sequences, marks that turn text around. */
export const harmless = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
