/**
 * SQL for the rows of `vintages` with estimated dates. A figure whose own date says only that it was on record gets the day
 * on which its series usually has one: the end of the period and the median lag of the first prints that are dated by
 * evidence.
 */

/** First prints dated by evidence that the lag of a series needs. A few may be the days on which a whole dataset was updated. */
export const LEAST_DATED = 5

/** Prints in place. A voided or redated one is of the same country as the record that says so. */
const inPlace = (scope: string) => `${scope} AND NOT _marker AND voids IS NULL AND release_id NOT IN (
  SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages WHERE ${scope} AND (redates IS NOT NULL OR voids IS NOT NULL)
)`

/** Last day of a period, which is YYYY, YYYY-MM or YYYY-Qn. A Date32 begins in 1900. */
const END_OF_PERIOD = `addDays(multiIf(
  length(period) = 4, makeDate32(toUInt16(period) + 1, 1, 1),
  substring(period, 6, 1) = 'Q', addMonths(makeDate32(toUInt16(left(period, 4)), 1, 1), 3 * toUInt8(right(period, 1))),
  addMonths(makeDate32(toUInt16(left(period, 4)), toUInt8(right(period, 2)), 1), 1)
), -1)`

/** The first print of each period and published series. Derived figures have the dates of their inputs. */
const firstPrints = (scope: string) => `
SELECT series, period, country, indicator, frequency,
  min((released_on, _offset)) AS place, place.1 AS day, argMin(release_id, (released_on, _offset)) AS id,
  argMin(released_on_basis, (released_on, _offset)) AS basis,
  argMin(notEmpty(figures), (released_on, _offset)) AS hasFigures
FROM vintages
WHERE derivation = '' AND period >= '1900' AND ${inPlace(scope)}
GROUP BY series, period, country, indicator, frequency`

/**
 * Whether the date of a first print is evidence of its publication. Of several periods with one date the earlier ones came out
 * before: a dataset that is read for the first time has its whole past under one date. A publisher’s own date of later
 * periods is each one’s true one. A copy may have been made long after the publication.
 */
const judged = (scope: string) => `
SELECT *,
  hasFigures AND (
    basis IN ('publisher', 'dataset') AND period = max(period) OVER (PARTITION BY series, day)
    OR basis = 'publisher' AND day > min(day) OVER (PARTITION BY series)
  ) AS isEvidence,
  place = min(place) OVER (PARTITION BY country, indicator, frequency, period) AS isFirstOfAll,
  ${END_OF_PERIOD} AS end
FROM (${firstPrints(scope)})`

/**
 * The estimated day of each print that has one, by the median lag of its series in days; of an even number of lags the upper
 * one of the middle two. No other series had the period before: a figure that was reckoned anew on another base must not take
 * the place of what was published then.
 */
const ofPublished = (scope: string) => `
SELECT print.1 AS id, toString(addDays(print.2, lag)) AS estimate
FROM (
  SELECT quantileExactHighIf(0.5)(dateDiff('day', end, toDate32(day)), isEvidence) AS lag,
    groupArrayIf((id, end, day), NOT isEvidence AND hasFigures AND isFirstOfAll) AS prints
  FROM (${judged(scope)})
  GROUP BY series
  HAVING countIf(isEvidence) >= ${LEAST_DATED}
)
ARRAY JOIN prints AS print
WHERE estimate < print.3`

/**
 * The published releases behind each release: itself, or what it is computed from. Derived figures may be computed from
 * derived ones, such as the trade of a year from flows that are sums of months.
 */
const roots = (scope: string) => `
SELECT release_id, released_on, arrayJoin(if(empty(further), [input], further)) AS root
FROM (
  SELECT release_id, released_on, arrayJoin(if(derivation = '', [release_id], inputs)) AS input
  FROM vintages WHERE ${inPlace(scope)}
) AS prints
ANY LEFT JOIN (
  SELECT release_id AS input, inputs AS further FROM vintages WHERE derivation != '' AND ${scope}
) AS derived USING (input)`

/** The best day of each published release. One whose date was corrected since may be named by its former id. */
const dated = (scope: string) => `
SELECT arrayJoin(if(redates IS NULL, [release_id], [release_id, assumeNotNull(redates)])) AS root,
  min(if(estimate = '', toString(released_on), estimate)) AS day, max(estimate != '') AS isEstimated
FROM (SELECT release_id, redates, released_on FROM vintages WHERE derivation = '' AND NOT _marker AND ${scope}) AS published
LEFT JOIN (${ofPublished(scope)}) AS estimated ON published.release_id = estimated.id
GROUP BY root`

/** Estimated days of published and derived releases: a derived figure is there once all its inputs are. */
const estimatesOf = (scope: string) => `
SELECT release_id AS id, max(day) AS estimate
FROM (${roots(scope)}) AS derived INNER JOIN (${dated(scope)}) AS dated USING (root)
GROUP BY release_id, released_on
HAVING max(isEstimated) AND estimate < released_on`

/** The releases with an estimated day, `id` and `estimate`: of all countries, or of those in the parameter `countries`. */
export const ESTIMATES = estimatesOf('true')
export const ESTIMATES_OF = estimatesOf('country IN {countries:Array(String)}')
