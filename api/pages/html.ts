/** Markup that is safe to put into a page unescaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Part = Html | string | number | readonly Part[] | undefined | false

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.text
  if (part === undefined || part === false) return ''
  if (typeof part === 'object') return part.map(textOf).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** Makes markup of a template. Values are escaped, unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((page, string, i) => page + textOf(parts[i - 1]) + string))

/** Makes markup of a sentence from the contracts, in which backticks enclose `code`. */
export const prose = (sentence: string): Html[] =>
  sentence.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
