// Made by clients/generate/main.ts. Do not edit.

/** Method, path and schema of the answer, by operation id. */
export const operations = {
  health_health_get: ['GET', '/health', 'Health'],
  economics_get_cpi: ['GET', '/v1/economics/{country}/cpi', 'Cpi'],
  economics_get_inflation: ['GET', '/v1/economics/{country}/inflation', 'Inflation'],
  economics_get_unemployment: ['GET', '/v1/economics/{country}/unemployment', 'Unemployment'],
  economics_get_labour_force_participation: ['GET', '/v1/economics/{country}/labour-force-participation', 'LabourForceParticipation'],
  economics_get_gdp: ['GET', '/v1/economics/{country}/gdp', 'Gdp'],
  economics_get_gdp_growth: ['GET', '/v1/economics/{country}/gdp-growth', 'GdpGrowth'],
  economics_get_trade: ['GET', '/v1/economics/{country}/trade', 'TradeSummary'],
  economics_get_trade_exports: ['GET', '/v1/economics/{country}/trade/exports', 'TradeExports'],
  economics_get_trade_imports: ['GET', '/v1/economics/{country}/trade/imports', 'TradeImports'],
  economics_get_trade_exports_history: ['GET', '/v1/economics/{country}/trade/exports/observations', 'ObservationList'],
  commodities_get_spot: ['GET', '/v1/commodities/spot/{commodity}/{currency}', 'SpotPrice'],
  fx_get_rates: ['GET', '/v1/fx/rates/{base}', 'FxRates'],
  events_list: ['GET', '/v1/events', 'EventPage'],
  events_get: ['GET', '/v1/events/{event_id}', 'Event'],
  prices_create_stream_ticket: ['POST', '/v1/prices/stream-ticket', 'StreamTicket'],
  events_create_stream_ticket: ['POST', '/v1/events/stream-ticket', 'StreamTicket'],
  predictions_create_stream_ticket: ['POST', '/v1/predictions/stream-ticket', 'StreamTicket'],
  account_get_usage: ['GET', '/v1/usage', 'Usage'],
} as const
