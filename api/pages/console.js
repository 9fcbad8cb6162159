/**
 * Makes the reference interactive. The curl command of an example follows the fields; Run calls the service and shows the answer.
 * Find shows the operations that have all words that are typed.
 */
const keyForm = document.querySelector('form.key')
const keyField = keyForm.querySelector('input')
const shownHeaders = [
  'ratelimit',
  'cache-control',
  'etag',
  'almanac-source',
  'almanac-released-on-basis',
  'almanac-periods-ended-since',
  'retry-after',
  'link',
  'request-id',
]

/** The address made from an example's fields. Values of a repeatable parameter are separated by commas. */
function addressOf(article) {
  let path = article.dataset.path
  const query = new URLSearchParams()
  for (const { name, value, dataset } of article.querySelectorAll('form input')) {
    if (dataset.in === 'body') continue
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value || name))
    else for (const item of value.split(',')) if (item.trim()) query.append(name, item.trim())
  }
  return location.origin + path + (query.size > 0 ? `?${query}` : '')
}

/** The body made from an example's fields, as JSON; undefined if the operation has no body. */
function bodyOf(article) {
  const fields = [...article.querySelectorAll('form input[data-in=body]')]
  return fields.length === 0 ? undefined : JSON.stringify(Object.fromEntries(fields.map((f) => [f.name, f.value])))
}

function writeCurl(article) {
  const key = article.dataset.access === 'none' ? '' : ` \\\n  -H "Authorization: Bearer $${keyForm.dataset.variable}"`
  const body = bodyOf(article)
  const sent =
    body === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`
  article.querySelector('.curl code').textContent = `curl -s '${addressOf(article)}'${key}${sent}`
}

async function copy(article, button) {
  const code = article.querySelector('.curl code')
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(code)
    button.textContent = 'Selected'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1500)
}

async function run(article) {
  const headers =
    keyField.value && article.dataset.access !== 'none' ? { authorization: `Bearer ${keyField.value}` } : {}
  const body = bodyOf(article)
  if (body !== undefined) headers['content-type'] = 'application/json'
  const began = performance.now()
  const pane = article.querySelector('.answer')
  pane.hidden = false
  try {
    const { method } = article.dataset
    const response = await fetch(addressOf(article), { method, headers, body, cache: 'no-store' })
    const answer = JSON.parse(await response.text())
    const took = Math.round(performance.now() - began)
    const lines = shownHeaders.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [`${name}: ${value}`]
    })
    show(
      pane,
      !response.ok,
      `${response.status} in ${took} ms`,
      `${lines.join('\n')}\n\n${JSON.stringify(answer, null, 2)}`,
    )
    if (answer.observations?.length > 1) pane.firstChild.after(curve(answer.observations))
  } catch (error) {
    show(pane, true, 'No answer', String(error))
  }
}

function show(pane, refused, title, text) {
  pane.classList.toggle('refused', refused)
  const heading = document.createElement('b')
  heading.textContent = title
  const pre = document.createElement('pre')
  pre.textContent = text
  pane.replaceChildren(heading, pre)
}

/** A chart of a history as one line, with its range of periods and values as caption. */
function curve(observations) {
  const values = observations.map(({ value }) => Number(value))
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const points = values.map((value, i) => {
    const x = (i / (values.length - 1)) * 600
    const y = 100 - ((value - least) / (greatest - least || 1)) * 100
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 600 100')
  svg.setAttribute('preserveAspectRatio', 'none')
  const line = document.createElementNS(svg.namespaceURI, 'polyline')
  line.setAttribute('points', points.join(' '))
  line.setAttribute('vector-effect', 'non-scaling-stroke')
  svg.append(line)
  const figure = document.createElement('figure')
  const caption = document.createElement('figcaption')
  const inWords = (value) => value.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 4 })
  const [first, last] = [observations[0], observations.at(-1)]
  caption.textContent = `${first.period} to ${last.period}: ${inWords(least)} to ${inWords(greatest)} ${first.unit}`
  figure.append(svg, caption)
  return figure
}

/** Shows what the address names: an operation is opened, and what was not found is shown again. */
function openTarget() {
  const article = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (article?.closest('[hidden]')) {
    findField.value = ''
    find()
    article.scrollIntoView()
  }
  const details = article?.querySelector(':scope > details')
  if (!details || details.open) return
  details.open = true
  article.scrollIntoView()
}

const findForm = document.querySelector('form.find')
const findField = findForm.querySelector('input')
const operations = [...document.querySelectorAll('article')]
const textOf = new Map(operations.map((article) => [article, article.textContent.toLowerCase()]))

/** Shows the operations that have all words, and opens the only one. Without words all are shown. */
function find() {
  const words = findField.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = operations.filter((article) => words.every((word) => textOf.get(article).includes(word)))
  const shown = new Set(found.map(({ id }) => id))
  for (const article of operations) article.hidden = !shown.has(article.id)
  for (const link of document.querySelectorAll('.contents .operation')) link.hidden = !shown.has(link.hash.slice(1))
  for (const heading of document.querySelectorAll('h2.tag')) {
    let next = heading.nextElementSibling
    while (next?.localName === 'article' && next.hidden) next = next.nextElementSibling
    heading.hidden = next?.localName !== 'article'
  }
  for (const section of document.querySelectorAll('main section:not(.title)')) section.hidden = words.length > 0
  if (found.length === 1) found[0].querySelector('details').open = true
  findForm.querySelector('small').textContent =
    words.length > 0 ? `${found.length} of ${operations.length} operations have these words.` : ''
  const query = words.length > 0 ? `?${new URLSearchParams({ find: words.join(' ') })}` : ''
  history.replaceState(null, '', location.pathname + query + location.hash)
}

// Behind a proxy, clients use another address than the one that the service listens on.
for (const shown of document.querySelectorAll('[data-base]')) {
  shown.textContent = shown.textContent.replaceAll(shown.dataset.base, location.origin)
}
for (const form of document.forms) form.addEventListener('submit', (event) => event.preventDefault())
for (const article of document.querySelectorAll('article')) {
  writeCurl(article)
  article.addEventListener('input', () => writeCurl(article))
  article.querySelector('.copy').addEventListener('click', ({ target }) => copy(article, target))
  article.querySelector('.run').addEventListener('click', () => run(article))
}
findForm.hidden = false
findField.value = new URLSearchParams(location.search).get('find') ?? ''
findField.addEventListener('input', find)
if (findField.value) find()
addEventListener('hashchange', openTarget)
openTarget()
