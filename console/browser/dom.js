/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. An attribute that is false or undefined is left out, and one that is true is empty. A function is a listener.
 * Text is never read as markup.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>} attributes
 * @param {readonly (Child | readonly Child[])[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value)
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(
    ...children
      .flat()
      .flatMap((child) => (child === null || child === undefined || child === false ? [] : [asNode(child)])),
  )
  return element
}

/** @param {Node | string | number} child */
const asNode = (child) => (child instanceof Node ? child : String(child))

const SVG = 'http://www.w3.org/2000/svg'

/**
 * @param {string} tag of SVG
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {readonly (Node | string)[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}

/**
 * The element with an id, which the page is known to have.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no element #${id}`)
  return element
}

/** @param {string} name a custom property of the style sheet, e.g. `--ink` */
export const themeColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Whether the screen is as narrow as a telephone's; the style sheets have the same bound. */
export const isNarrow = () => matchMedia('(max-width: 44rem)').matches

/**
 * A labelled field.
 *
 * @param {string} label
 * @param {HTMLElement} control
 */
export const field = (label, control) => h('label', { class: 'field' }, h('span', {}, label), control)

/**
 * A list to choose from.
 *
 * @param {readonly (readonly [value: string, text: string])[]} options
 * @param {string} chosen
 * @param {(value: string) => void} onChoice
 */
export function choice(options, chosen, onChoice) {
  const control = h(
    'select',
    {},
    options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  )
  control.addEventListener('change', () => onChoice(control.value))
  return control
}

/**
 * Has the browser save a file.
 *
 * @param {string} name
 * @param {string} type
 * @param {string | Blob} content
 */
export function saveFile(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }))
  h('a', { href: url, download: name }).click()
  // The download has its own hold of the content once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Pixels of a saved picture for each of the drawing. */
const SHARP = 2

/**
 * Has the browser save a drawing as PNG.
 *
 * @param {string} name
 * @param {string} drawing SVG with a width and a height
 */
export async function savePicture(name, drawing) {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`
  await image.decode()
  const canvas = h('canvas', { width: image.naturalWidth * SHARP, height: image.naturalHeight * SHARP })
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  canvas.toBlob((picture) => picture && saveFile(name, 'image/png', picture))
}

/**
 * A button that copies a text and says so for a moment.
 *
 * @param {string} label
 * @param {() => string} text
 */
export function copyButton(label, text) {
  const button = h('button', { type: 'button', class: 'quiet' }, label)
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    )
    button.textContent = copied ? 'Copied' : 'Not allowed to copy'
    setTimeout(() => {
      button.textContent = label
    }, 1500)
  })
  return button
}
