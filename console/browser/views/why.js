/**
 * Why this figure: a release, what it was computed or read from, down to the hash of the document.
 *
 * @import { ReleaseDetail, ReleaseInput } from '../bodies.d.ts'
 * @import { ConsoleView, ViewContext } from '../view.d.ts'
 */
import { isUnreachable } from '../api-client.js'
import { shortName } from '../catalogue-cells.js'
import { releaseCitation } from '../citation.js'
import { groupedDecimal } from '../decimal-text.js'
import { copyButton, h } from '../dom.js'
import { problemNote, waitingNote } from '../notes.js'
import { dayName, instantName, periodName, thisDay } from '../periods.js'
import { seriesFacts } from '../series-facts.js'
import { viewAddress } from '../view-address.js'

/** @type {ConsoleView} */
export async function whyView(container, context) {
  const { params } = context
  container.append(h('div', { class: 'view-head' }, h('h1', {}, 'Why this figure')), seekRelease(context))
  if (!params.release) {
    container.append(
      h(
        'p',
        { class: 'lead' },
        'Every figure belongs to a release. Open one from the table of prints in ',
        h('a', { href: viewAddress('indicators') }, 'Indicators'),
        ', or write its id above.',
      ),
    )
    return
  }
  const place = h('div', {}, waitingNote('Reading the release …'))
  container.append(place)
  const release = await readRelease(context, params.release)
  if (!context.signal.aborted) place.replaceChildren(...releaseParts(context, release))
}

/** @param {ViewContext} context */
function seekRelease({ params, go }) {
  const input = h('input', {
    id: 'release',
    size: 34,
    value: params.release ?? '',
    placeholder: 'rel_…',
    pattern: '\\s*rel_[\\w\\-]+\\s*',
    required: true,
  })
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault()
    go('why', { release: input.value.trim() })
  }
  return h(
    'form',
    { class: 'seek', onsubmit: submit },
    h('label', { for: 'release' }, 'Release'),
    input,
    h('button', { type: 'submit' }, 'Explain'),
  )
}

/**
 * @param {ViewContext} context
 * @param {string} id
 * @returns {Promise<ReleaseDetail>}
 */
const readRelease = ({ client, signal }, id) => client.json(`/v1/releases/${id}`, { signal })

/**
 * @param {ViewContext} context
 * @param {ReleaseDetail} release
 */
function releaseParts(context, release) {
  const { facts } = context
  const { country, indicator, period, figures, printed, is_current, is_served } = release
  const name = indicatorName(context, indicator)
  const state = is_current
    ? is_served
      ? 'Current, and served'
      : 'Current in its series, which is not the one served'
    : release.voids !== null
      ? 'A record that voids a release'
      : release.is_voided
        ? 'Voided: by the dates of its inputs it never was true'
        : release.late
          ? 'A print from before the one on record'
          : 'Replaced by a later print, or by the same one with a better date'
  return [
    h(
      'section',
      { class: 'headline' },
      h('p', { class: 'kicker' }, `${facts.countries[country] ?? country} · ${periodName(period)} · ${state}`),
      h('h2', {}, name),
      Object.keys(figures).length === 0 &&
        h(
          'p',
          {},
          release.voids === null
            ? 'Withdrawn: the publisher has taken the figure back.'
            : 'By the dates of its inputs, the release that this record voids never was true.',
        ),
      h(
        'dl',
        { class: 'figures' },
        Object.entries(figures).map(([figure, value]) =>
          h(
            'div',
            {},
            h('dt', {}, figure.replaceAll('_', ' ')),
            h(
              'dd',
              {},
              h('b', {}, groupedDecimal(value)),
              ' ',
              h('small', {}, release.series.unit ?? ''),
              printedNote(printed?.[figure], value),
            ),
          ),
        ),
      ),
      h(
        'p',
        {},
        h(
          'a',
          { href: viewAddress('indicators', { country, indicator, period, as_of: release.released_on }) },
          'On the plot, as known that day',
        ),
        ' · ',
        copyButton('Copy link', () => location.href),
        ' · ',
        copyButton('Copy citation', () => releaseCitation(release, facts, location.href, thisDay())),
      ),
    ),
    h(
      'div',
      { class: 'halves' },
      h('section', { 'aria-labelledby': 'times' }, h('h2', { id: 'times' }, 'When'), timesOf(release)),
      h(
        'section',
        { 'aria-labelledby': 'origin' },
        h('h2', { id: 'origin' }, 'From where'),
        originOf(context, release),
      ),
    ),
    h(
      'section',
      { class: 'series-facts', 'aria-labelledby': 'series' },
      h('h2', { id: 'series' }, 'Series'),
      factList(seriesFacts(release.series)),
    ),
  ]
}

/** @param {ViewContext} context @param {string} code */
function indicatorName({ facts }, code) {
  const indicator = facts.indicators.find((one) => one.code === code)
  return indicator ? shortName(indicator) : code
}

/**
 * @param {string | undefined} printed the publisher's own text
 * @param {string} value
 */
const printedNote = (printed, value) =>
  printed !== undefined && printed !== value && h('small', {}, ` printed as “${printed}”`)

/** @type {Readonly<Record<string, string>>} */
const dateBases = {
  publisher: 'by the publisher’s own date',
  dataset: 'the day of the dataset’s last update',
  copy: 'or before: a copy of the dataset had it on that day',
  first_seen: 'the day on which it was first seen here',
}

/** @param {ReleaseDetail} release */
function timesOf(release) {
  const { released_on, released_on_basis, recorded_at, revises, revised_by, redates, voids, is_voided, late, event } =
    release
  const link = (/** @type {string | null} */ id, /** @type {string} */ none) =>
    id === null ? none : h('a', { href: viewAddress('why', { release: id }) }, h('code', {}, id))
  return factList([
    ['Released', `${dayName(released_on)}, ${dateBases[released_on_basis] ?? released_on_basis}`],
    ['Recorded', instantName(recorded_at)],
    voids !== null
      ? ['Voids', link(voids, '')]
      : redates === null
        ? [
            'Replaces',
            link(revises, late ? 'nothing: it was read after later prints' : 'nothing: no earlier print was on record'),
          ]
        : ['Corrects the date of', link(redates, '')],
    [
      is_voided ? 'Never true: voided by' : 'Replaced by',
      link(revised_by, voids === null ? 'nothing: this is the newest print' : 'nothing'),
    ],
    [
      'Event',
      event
        ? h(
            'a',
            { href: viewAddress('journal', { start: String(Number(event.sequence)) }) },
            `${Number(event.sequence)} of the journal`,
          )
        : redates !== null || voids !== null || late
          ? 'none: it changed no current figure'
          : 'none: the series is not served',
    ],
  ])
}

/**
 * @param {ViewContext} context
 * @param {Pick<ReleaseDetail, 'provenance' | 'indicator' | 'provenance' | 'approval' | 'inputs'>} release
 */
function originOf(context, { indicator, provenance, approval, inputs }) {
  if (provenance) return documentOf(provenance, approval)
  return h(
    'div',
    {},
    h('p', {}, `${indicatorName(context, indicator)}, computed by this service from:`),
    h(
      'ul',
      { class: 'pedigree' },
      inputs.map((input) => inputItem(context, input)),
    ),
  )
}

/** @typedef {NonNullable<ReleaseDetail['provenance']>} Document */

/** @param {Document} provenance @param {ReleaseDetail['approval']} approval */
function documentOf({ publisher, url, licence, retrieved_at, sha256, location, copy, file }, approval) {
  return h(
    'div',
    {},
    factList([
      ['Publisher', publisher],
      ['Document', addressOf(url)],
      ...copyFacts(copy),
      ['Fetched', retrieved_at === null ? 'it is not known when' : instantName(retrieved_at)],
      ['SHA-256', sha256 === null ? 'not known, because the document was not at hand' : hashOf(sha256)],
      ['Licence', licence],
      ...(file ? [/** @type {[string, Node]} */ (['Read from the file', fileName(file)])] : []),
      ['Place in it', location],
      ...(approval
        ? [/** @type {[string, string]} */ (['Approved by a person', `${approval.because} (${approval.held_for})`])]
        : []),
    ]),
    sha256 !== null &&
      h(
        'p',
        {},
        copyButton('Copy the hash', () => sha256),
      ),
  )
}

/** Only an address of the web is a link: a file that an operator read has another one. @param {string} url */
const addressOf = (url) => (/^https?:/.test(url) ? h('a', { href: url, rel: 'noreferrer noopener' }, url) : url)

/** @param {string} sha256 */
const hashOf = (sha256) => h('code', { class: 'hash' }, sha256)

/** @param {NonNullable<Document['file']>} file */
const fileName = ({ name, sha256 }) => h('span', {}, `${name}, SHA-256 `, hashOf(sha256))

/**
 * The copy through which the figures came.
 *
 * @param {Document['copy']} copy
 * @returns {[string, string | Node][]}
 */
function copyFacts(copy) {
  if (!copy) return []
  const { holder, url, revision, held_on, is_transcribed } = copy
  return [
    ['Through a copy', url === null ? holder : h('span', {}, `${holder}: `, addressOf(url))],
    ...(revision === null ? [] : [/** @type {[string, string]} */ (['Revision of it', revision])]),
    ...(held_on === null ? [] : [/** @type {[string, string]} */ (['It was there', `${dayName(held_on)}, or before`])]),
    ['Taken from it', is_transcribed ? 'by hand' : 'by a program'],
  ]
}

/**
 * An input, which unfolds to what it was itself made from.
 *
 * @param {ViewContext} context
 * @param {ReleaseInput} input
 */
function inputItem(context, { release_id, indicator, period, figures, provenance }) {
  const text = `${indicatorName(context, indicator)}, ${periodName(period)}: ${Object.values(figures).map(groupedDecimal).join(' · ')}`
  const inside = h('div', { class: 'inside' })
  const details = h('details', {}, h('summary', {}, text), inside)
  const all = () => h('p', {}, h('a', { href: viewAddress('why', { release: release_id }) }, 'All about this release'))
  const unfold = async () => {
    if (!details.open || inside.querySelector('a')) return
    if (provenance) return inside.replaceChildren(documentOf(provenance, null), all())
    try {
      inside.replaceChildren(originOf(context, await readRelease(context, release_id)), all())
    } catch (error) {
      if (context.signal.aborted) return
      inside.replaceChildren(
        isUnreachable(error) ? waitingNote('This opens once the service is back.') : problemNote(error),
      )
    }
  }
  details.addEventListener('toggle', unfold)
  context.client.watch?.onBack(unfold, context.signal)
  return h('li', {}, details)
}

/** @param {readonly (readonly [string, string | Node])[]} entries */
const factList = (entries) =>
  h(
    'dl',
    { class: 'facts' },
    entries.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  )
