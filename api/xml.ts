/** Writes XML 1.0. */

export const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>'

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for an element or an attribute. What XML cannot express, as most control characters, becomes U+FFFD. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd')
    // A parser would make spaces of line breaks and tabs in an attribute.
    .replace(/[&<>"\t\n\r]/g, (character) => references[character] ?? `&#${character.charCodeAt(0)};`)

/** Attributes with a space before each. A character that a name cannot have becomes an underscore; names begin with a letter. */
export const xmlAttributes = (members: Readonly<Record<string, string | number>>): string =>
  Object.entries(members)
    .map(([name, value]) => ` ${name.replace(/[^\w.-]/g, '_')}="${xmlText(String(value))}"`)
    .join('')
