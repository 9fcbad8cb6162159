/** Names of the tools that stand for an operation of each indicator. */
export const HISTORIES = 'economics_list_observations'
export const VINTAGES = 'economics_list_vintages'

/**
 * What a model reads of a tool after its title, where the operation's description is not for it: that of REST is longer and
 * speaks of headers and formats. A tool without a schema of its answer names the members here that don't explain themselves.
 */
export const toolTexts: Readonly<Record<string, string>> = {
  [HISTORIES]:
    'One entry for each period and measure, with `value`, `unit` and `transformation` (which change the value is; empty: the level). With as_of the figures are as they were known on that day. Changes, rates and lower frequencies are computed by units and aggregation_method; `missing` says why a computed value is null.',
  [VINTAGES]:
    'What was answered over time for one period, or for each period from start to end, oldest first: `value` (null: none from then on), `valid_from` (the first day on which it was the answer), `released_on`, `release_id`, and in `revises` the release that it replaced (null: none was on record). Another `series` may follow.',
  prices_list_candles:
    'Past prices of a commodity or an exchange rate, oldest first; for the latest ones send start. Days begin in UTC, weeks on Monday, and the newest candle still grows. If no source quotes the pair, `derived` is true: it is computed from the candles of other pairs.',
  prices_list_ticks:
    'Oldest first, with `observed_at`, `source` and `recorded_at`. They are kept for about two months, candles for ever. A pair that no source quotes has none: the failure names the pairs from which it is computed.',
  events_get:
    'By the `id` that the event journal, a stream or a log names. Events never change. The text after the event of a release names the release for releases_get.',
  catalog_list:
    'Says what there is before a figure is requested: publisher, licence, unit, first and last period, when the next release is expected and how late it is. A series with `is_served` false is an input of others, or an alternative to the served one. Asking costs nothing.',
  catalog_indicators:
    'Each indicator with its meaning, its unit and the countries that it is served for now. Asking costs nothing.',
  catalog_countries: 'Each with the indicators that are served for it now. Asking costs nothing.',
  catalog_instruments:
    'Each with its unit, native currency and market, and the time after which its price is stale. Any commodity can be priced in any currency. Asking costs nothing.',
  catalog_plans:
    'Calls per month and per minute, open streams and event families of each plan. For what a key has used, use account_get_usage.',
  claims_verify:
    'Compares it with every print on record of one period: country, indicator, period and `value` as stated, such as "32.5 trillion" or "3.2 %". `verdict`: current, current_elsewhere (another series has it), former (replaced or withdrawn since) or not_on_record; `prints` state it, with their days and what replaced them; `served` is what the period has now.',
  search:
    'Start here if you do not know the code: names, synonyms, publishers’ ids, countries in words, commodities and currencies. Each of `hits` has `is_served`, `frequencies` with their periods, `operation` (the tool; histories are in economics_list_observations) and a `note` if it is not served. What nothing explains is in `unknown_words`.',
  releases_get:
    'A release with the publisher’s document (address, SHA-256, licence, place in it), when it was released and recorded, and how its day is known; a derived figure has its `inputs` instead. The text after a figure names its release, and vintages have `release_id`.',
  calendar_list:
    'The day of each first print, the releases that are late, cancelled or were never published, and the next one expected, by day. `expected_on_basis` says whether the expected day is of the publisher’s calendar or estimated: `lag` from the first prints of the series, `standard` from what is usual for such figures. `actual` is the figure as first published, `previous` that of the period before as known then.',
}
