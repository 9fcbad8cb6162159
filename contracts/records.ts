import { Type } from '#typebox'
import type { ExpectedOnBasis } from './catalog.ts'
import type { indicatorCodes } from './indicators.ts'
import { Plan, Prediction } from './resources.ts'
import {
  type Annualization,
  CountryCode,
  IsoDate,
  nullable,
  type SeasonalAdjustment,
  strict,
  Timestamp,
} from './scalars.ts'

/**
 * Records of the journal, one schema for each topic. The Avro schema of a topic is derived from its record (`avro.ts`),
 * and every released version is in `avro/`. Instants are ISO 8601 UTC with
 * milliseconds; figures are decimal strings.
 *
 * An open set (indicator, source, unit …) is a string in Avro, so that a reader with an older schema can read a newer
 * value.
 */
const openSet = (description: string) => Type.String({ description })

/** Observation frequency, codes of SDMX CL_FREQ. */
export const frequencies = ['A', 'Q', 'M'] as const
export type Frequency = (typeof frequencies)[number]

/**
 * The members that identify a series. Revisions stay inside one series. Two sources that measure the same thing are two
 * series and never revise each other.
 */
export const Series = strict(
  {
    id: Type.String({ description: 'All other members in one line, e.g. USA.cpi.M.BIS.WS_LONG_CPI.index.NSA' }),
    indicator: Type.Unsafe<(typeof indicatorCodes)[number]>(openSet('Indicator code')),
    country: CountryCode,
    frequency: Type.Unsafe<Frequency>(openSet('A, Q or M (SDMX CL_FREQ)')),
    source: openSet('Agency code of the publisher, e.g. BIS'),
    dataset: openSet('The publisher’s own name of the dataset or series'),
    unit: openSet('ISO 4217 currency, `percent` or `index`'),
    seasonal_adjustment: Type.Unsafe<Type.Static<typeof SeasonalAdjustment>>(Type.String()),
    annualization: Type.Unsafe<Type.Static<typeof Annualization>>(Type.String()),
    base_period: Type.String({
      description: 'Period in which the index equals base_value, or at whose prices a volume is; empty for others',
    }),
    base_value: Type.String({ description: 'Value of the index in base_period; empty for other units' }),
    derivation: openSet('How the figures are derived from other releases, or empty as published'),
  },
  { $id: 'Series' },
)
export type Series = Type.Static<typeof Series>

/** A copy of the publisher's document that somebody else keeps, and through which a figure came. */
export const Copy = strict(
  {
    holder: Type.String({ description: 'Keeper of the copy, e.g. github.com/OWNER/NAME' }),
    url: nullable(Type.String({ description: 'Address of the copy' })),
    revision: nullable(Type.String({ description: 'Version of the copy at its holder, e.g. a commit' })),
    held_on: nullable(Type.String({ description: 'Day on which the holder had it, as far as that is known' })),
    is_transcribed: Type.Boolean({ description: 'Whether the figures were typed from the copy by hand' }),
  },
  { $id: 'Copy' },
)
export type Copy = Type.Static<typeof Copy>

/** A file in Almanac's own format, which states the figures of a document. */
export const FigureFile = strict(
  {
    name: Type.String({ description: 'Name of the file, without its folder' }),
    sha256: Type.String({ description: 'SHA-256 of the file, hexadecimal' }),
  },
  { $id: 'FigureFile' },
)
export type FigureFile = Type.Static<typeof FigureFile>

/**
 * Where a figure comes from. What is not known about the document is empty text and not null, because releases before
 * the members `copy` and `file` have these members as text, and every version must read every other.
 */
export const Provenance = strict(
  {
    publisher: Type.String({ description: 'Name of the organisation, for people' }),
    url: Type.String({ description: 'Address of the document at its publisher, or of the local file that was read' }),
    licence: Type.String({ description: 'Terms under which the publisher makes the figure available' }),
    retrieved_at: Type.String({
      description: 'When the document was fetched from its publisher, ISO 8601 UTC; empty if that is not known',
    }),
    sha256: Type.String({ description: 'SHA-256 of the document, hexadecimal; empty if it was not at hand' }),
    location: Type.String({ description: 'Place in the document, or in `file` if there is one, e.g. line 12' }),
    copy: nullable(Copy),
    file: nullable(FigureFile),
  },
  { $id: 'Provenance' },
)
export type Provenance = Type.Static<typeof Provenance>

/**
 * A person's approval of figures that were held as implausible. The person's name is in quarantine only: a release is kept
 * for ever, and everybody may read it.
 */
export const ReleaseApproval = strict(
  {
    held_for: openSet('Why the figures were held, e.g. held_jump'),
    because: Type.String({ description: 'Why they are right, as the person said' }),
    input_id: Type.String({ description: 'Id of the held figures in quarantine' }),
  },
  { $id: 'ReleaseApproval' },
)
export type ReleaseApproval = Type.Static<typeof ReleaseApproval>

/** The evidence for the date of a release, the strongest first. */
export const releasedOnBases = ['publisher', 'dataset', 'copy', 'first_seen'] as const
export type RecordedBasis = (typeof releasedOnBases)[number]
/**
 * What the date of a release in memory rests on. `estimated` is in no record of the journal: only answers below
 * `/asof/{day}/estimated` have it.
 */
export const servedBases = [...releasedOnBases, 'estimated'] as const
export type ReleasedOnBasis = (typeof servedBases)[number]

/**
 * An accepted release: the figures of one series and period, as a first print, a revision, an earlier print that became
 * known later, or one on record with a better date. Or a record that voids a derived one. Immutable.
 */
export const Release = strict(
  {
    release_id: Type.String({ description: '`rel_` and 26 characters, derived from content and predecessor' }),
    series: Series,
    period: Type.String({ description: 'What the figures measure: YYYY, YYYY-MM or YYYY-Qn' }),
    figures: Type.Record(Type.String(), Type.String(), {
      description: 'Canonical decimals by body member; empty if the publisher has withdrawn the figures',
    }),
    published: Type.Record(Type.String(), Type.String(), { description: 'The same as the publisher printed them' }),
    revises: nullable(
      Type.String({ description: 'The print before this one when it was accepted; null if there was none' }),
    ),
    released_on: IsoDate,
    released_on_basis: Type.Unsafe<ReleasedOnBasis>(
      openSet(
        'publisher: the publisher’s own date; dataset: its last update; copy: the day on which a copy held it; first_seen: the day we saw it',
      ),
    ),
    recorded_at: Timestamp,
    provenance: nullable(Provenance),
    inputs: Type.Array(Type.String(), { description: 'Ids of the releases that a derived release was computed from' }),
    late: Type.Boolean({
      default: false,
      description: 'Whether a later print was on record already when this one was accepted: it never was current',
    }),
    redates: nullable(
      Type.String({ description: 'The release with the same figures whose date this one corrects, or null' }),
    ),
    approval: nullable(ReleaseApproval),
    voids: nullable(
      Type.String({
        description:
          'The derived release that this record voids, or null: by the dates of its inputs it never was true. Such a record has no figures, and is no print itself',
      }),
    ),
  },
  { $id: 'Release' },
)
export type Release = Type.Static<typeof Release>

/** A price as a source gave it, or a timer that fired for a symbol or a market. */
export const Tick = strict(
  {
    kind: Type.Unsafe<'price' | 'timer'>(openSet('price or timer')),
    symbol: Type.String({
      description: 'BASE-QUOTE: units of QUOTE for one unit of BASE; of a session timer the market, e.g. FX',
    }),
    source: openSet('Name of the source that gave the price; empty for a timer'),
    price: Type.String({ description: 'Canonical decimal; empty for a timer' }),
    observed_at: Type.String({ description: 'The source’s own time of the price, or when the timer was due' }),
    recorded_at: Timestamp,
    url: Type.String({ description: 'Address that the price came from; empty for a feed or timer' }),
  },
  { $id: 'Tick' },
)
export type Tick = Type.Static<typeof Tick>

/**
 * A price of a source that publishes one price for each time and repeats its history in each edition. It is the price
 * of its time until a later record of the same symbol, source and time.
 */
export const HistoricPrice = strict(
  {
    symbol: Type.String({ description: 'BASE-QUOTE: units of QUOTE for one unit of BASE' }),
    source: openSet('Name of the source that published the price'),
    observed_at: Type.String({ description: 'The source’s own time of the price' }),
    price: Type.String({ description: 'Canonical decimal' }),
    restates: nullable(
      Type.String({ description: 'The price that this one takes the place of; null if none was on record' }),
    ),
    released_on: nullable({ ...IsoDate, description: 'Day of the edition that states the price; null if unknown' }),
    released_on_basis: nullable(
      Type.Unsafe<Exclude<RecordedBasis, 'first_seen'>>(
        openSet(
          'dataset: the edition’s own day, or else that of its newest price; copy: the day on which a copy held it; null without a day',
        ),
      ),
    ),
    recorded_at: Timestamp,
    dataset: Type.String({ description: 'Dataset of the source' }),
    url: Type.String({ description: 'Address of the document, or of the local file that was read' }),
    sha256: Type.String({ description: 'SHA-256 of the document, hexadecimal' }),
    location: Type.String({ description: 'Place in the document, e.g. line 12' }),
  },
  { $id: 'HistoricPrice' },
)
export type HistoricPrice = Type.Static<typeof HistoricPrice>

/** The newest price that documents of a source have given for a symbol. Sources with a price history have none. */
export const NewestPrice = strict(
  {
    symbol: Type.String({ description: 'BASE-QUOTE: units of QUOTE for one unit of BASE' }),
    source: openSet('Name of the source that gave the price'),
    price: Type.String({ description: 'Canonical decimal' }),
    observed_at: Type.String({ description: 'The source’s own time of the price' }),
  },
  { $id: 'NewestPrice' },
)
export type NewestPrice = Type.Static<typeof NewestPrice>

/** When a publisher's dataset was last fetched. Documents from local files are not fetched. */
export const DatasetFetch = strict(
  {
    source: openSet('Agency code of the publisher, as in the series'),
    dataset: openSet('The publisher’s own name of the dataset, as in the series'),
    fetched_at: { ...Timestamp, description: 'When the newest fetch that ended without error had ended, UTC' },
  },
  { $id: 'DatasetFetch' },
)
export type DatasetFetch = Type.Static<typeof DatasetFetch>

/** A symbol’s current quote and the decider state behind it. */
export const Quote = strict(
  {
    symbol: Type.String(),
    price: Type.String(),
    source: Type.String(),
    observed_at: Timestamp,
    stale: Type.Boolean(),
    tick_partition: Type.Integer(),
    tick_offset: Type.Integer({
      description: 'Offset of the newest tick seen; readers ignore a quote with an older one',
    }),
    state: Type.String({ description: 'The decider’s whole state for this symbol, JSON' }),
  },
  { $id: 'Quote' },
)
export type Quote = Type.Static<typeof Quote>

/** A market’s current session and when it began. */
export const Session = strict(
  {
    market: openSet('Market code, e.g. FX'),
    market_session: Type.Unsafe<'open' | 'closed'>(openSet('open or closed')),
    since: Timestamp,
    tick_partition: Type.Integer(),
    tick_offset: Type.Integer({
      description: 'Offset of the timer that was decided on; readers ignore a session with an older one',
    }),
  },
  { $id: 'Session' },
)
export type Session = Type.Static<typeof Session>

/** The lateness of a source’s price of a symbol: it was quoted as current, and none came in its stead in time. */
export const Lapse = strict(
  {
    source: Type.String({ description: 'Name of the source that was late' }),
    heard_at: { ...Timestamp, description: 'The source’s own time of its last price before' },
    since: { ...Timestamp, description: 'When that price became stale' },
  },
  { $id: 'Lapse' },
)
export type Lapse = Type.Static<typeof Lapse>

/**
 * How a symbol is quoted from now on: currently, and by which source, or stale. Or a timer that fired for the processor
 * of outages. It is recorded when it changes, and again with the first quote after a week, because the topic is kept for
 * some weeks only.
 */
export const Standing = strict(
  {
    kind: Type.Unsafe<'standing' | 'timer'>(openSet('standing or timer')),
    symbol: Type.String({ description: 'Empty for a timer' }),
    source: openSet('Source of the current price; empty if the quote is stale, and for a timer'),
    lapse: nullable(Lapse),
    signal: nullable(Type.String({ description: 'JSON: the signal of the symbol’s transition, if it has one' })),
    recorded_at: Timestamp,
  },
  { $id: 'Standing' },
)
export type Standing = Type.Static<typeof Standing>

/**
 * A transition that a price or prediction processor noticed. It has all members of a public event except the sequence.
 */
export const Signal = strict(
  {
    signal_id: Type.String({ description: '`sig_` and 26 characters, derived from the causing record' }),
    key: Type.String({ description: 'Symbol, market or COUNTRY.indicator' }),
    type: openSet('Type of the event, e.g. prices.instrument.stale'),
    family: openSet('Family of the event'),
    country: nullable(CountryCode),
    subject: Type.String({ description: 'Subject of the event, e.g. XAU-USD or USA/cpi/2026-09' }),
    time: Timestamp,
    dataschema: Type.String(),
    data: Type.String({ description: 'JSON: the event’s data' }),
  },
  { $id: 'Signal' },
)
export type Signal = Type.Static<typeof Signal>

export const calendarChanges = ['expected', 'late', 'cancelled', 'restored', 'never_published'] as const

/**
 * A change of the release calendar that releases do not show: what a timer of the calendar processor has noticed, or
 * what an operator says.
 */
export const CalendarChange = strict(
  {
    change: Type.Unsafe<(typeof calendarChanges)[number]>(
      openSet('expected or late: noticed by a timer; cancelled, never_published or restored: said by an operator'),
    ),
    country: CountryCode,
    indicator: Type.Unsafe<(typeof indicatorCodes)[number]>(openSet('Indicator code')),
    period: Type.String({ description: 'What the figure measures: YYYY, YYYY-MM or YYYY-Qn' }),
    series: Type.String({ description: 'Id of the series that was served then' }),
    expected_on: nullable(IsoDate),
    expected_on_basis: nullable(
      Type.Unsafe<ExpectedOnBasis>(
        openSet('publisher or lag; null without expected_on, and in records from before it was recorded'),
      ),
    ),
    expected_at: nullable({ ...Timestamp, description: 'The announced instant; null if there is none' }),
    reason: nullable(Type.String({ description: 'Why, in the operator’s words; null for what a timer noticed' })),
    recorded_at: Timestamp,
  },
  { $id: 'CalendarChange' },
)
export type CalendarChange = Type.Static<typeof CalendarChange>

/** The stored form of a public event (CloudEvents 1.0); served with `specversion`, `cursor` and parsed `data`. */
export const EventRecord = strict(
  {
    sequence: Type.Integer({ minimum: 1, description: 'Dense from 1' }),
    id: Type.String({ description: '`evt_` and 26 characters, derived from the causing record' }),
    type: Type.String(),
    source: Type.String(),
    family: Type.String(),
    country: nullable(CountryCode),
    subject: Type.String(),
    time: Timestamp,
    dataschema: Type.String(),
    data: Type.String({ description: 'JSON: the body that REST serves; for a revision also `previous`' }),
  },
  { $id: 'EventRecord' },
)
export type EventRecord = Type.Static<typeof EventRecord>

/** The record of an API key. It never holds the key itself. */
export const AccessKey = strict(
  {
    key_id: Type.String(),
    hash: Type.String({ description: 'SHA-256 of the key, hexadecimal' }),
    plan: Plan,
    owner: Type.String(),
    origins: Type.Array(Type.String(), { description: 'Origins for which stream tickets may be issued' }),
    status: Type.Unsafe<'active' | 'revoked'>(openSet('active or revoked')),
    created_at: Timestamp,
    expires_at: nullable(Timestamp),
    replaced_by: nullable(Type.String({ description: 'The id of the key that was made when this one was rotated' })),
    account: nullable(
      Type.String({
        description:
          'Account whose quota and stream slots the key uses: the id of the first key of its line; null is its own',
      }),
    ),
    kind: nullable(Type.Unsafe<'live' | 'test'>(openSet('live or test; null in records from before it was recorded'))),
    parent: nullable(
      Type.String({
        description:
          'Set in the record of a read-only key for addresses: the id of the key that it was derived from, with whose plan and expiry it is valid',
      }),
    ),
  },
  { $id: 'AccessKey' },
)
export type AccessKey = Type.Static<typeof AccessKey>

/** An input that was not accepted, with its original bytes. A large input is split into parts with one `input_id`. */
export const Rejected = strict(
  {
    input_id: Type.String({ description: 'SHA-256 of document and location: the same input again has the same id' }),
    source: Type.String(),
    dataset: Type.String(),
    url: Type.String(),
    reason: Type.String({ description: 'A code, e.g. not_a_decimal' }),
    detail: Type.String({ description: 'What was wrong, for people' }),
    location: Type.String({ description: 'Place in the document, e.g. line 12; empty for the whole' }),
    // A rejected local file has the time at which it was read.
    retrieved_at: Timestamp,
    recorded_at: Timestamp,
    sha256: Type.String({ description: 'SHA-256 of the whole document, hexadecimal' }),
    part: Type.Integer({ minimum: 1 }),
    parts: Type.Integer({ minimum: 1 }),
    bytes: Type.Unsafe<Uint8Array>({ type: 'bytes', description: 'The rejected bytes, this part' }),
  },
  { $id: 'Rejected' },
)
export type Rejected = Type.Static<typeof Rejected>

/** The prediction for the next release of a country and indicator, stored as it is served. */
export { Prediction }
