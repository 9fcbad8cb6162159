/** @import { PanelPart } from './compared.js' */
import { pathWith } from './api-client.js'

/**
 * The address of a panel, and what it is of. The rows that begin with # are asked for, too.
 *
 * @param {PanelPart} part
 * @param {Readonly<Record<string, string | undefined>>} params of the view
 */
export const panelAddress = ({ frequency, countries, indicators }, { start, end, as_of, units, method }) =>
  pathWith('/v1/panel', {
    country: countries,
    indicator: indicators,
    frequency,
    start,
    end,
    as_of,
    units: units === 'lin' || units === 'index' ? undefined : units,
    aggregation_method: method,
    about: 'rows',
    format: 'csv',
  })
