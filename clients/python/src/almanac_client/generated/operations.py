# Made by clients/generate/main.ts. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NamedTuple

from . import models


class Operation(NamedTuple):
    method: str
    path: str
    answer: str | None
    """Name of the model of the answer; None: text."""


OPERATIONS = {
    "health_health_get": Operation("GET", "/health", "Health"),
    "economics_get_cpi": Operation("GET", "/v1/economics/{country}/cpi", "Cpi"),
    "economics_get_inflation": Operation("GET", "/v1/economics/{country}/inflation", "Inflation"),
    "economics_get_unemployment": Operation("GET", "/v1/economics/{country}/unemployment", "Unemployment"),
    "economics_get_labour_force_participation": Operation("GET", "/v1/economics/{country}/labour-force-participation", "LabourForceParticipation"),
    "economics_get_gdp": Operation("GET", "/v1/economics/{country}/gdp", "Gdp"),
    "economics_get_gdp_growth": Operation("GET", "/v1/economics/{country}/gdp-growth", "GdpGrowth"),
    "economics_get_trade": Operation("GET", "/v1/economics/{country}/trade", "TradeSummary"),
    "economics_get_trade_exports": Operation("GET", "/v1/economics/{country}/trade/exports", "TradeExports"),
    "economics_get_trade_imports": Operation("GET", "/v1/economics/{country}/trade/imports", "TradeImports"),
    "economics_list_cpi_observations": Operation("GET", "/v1/economics/{country}/cpi/observations", "SeriesObservationList"),
    "economics_list_cpi_vintages": Operation("GET", "/v1/economics/{country}/cpi/vintages", "VintageList"),
    "economics_list_inflation_observations": Operation("GET", "/v1/economics/{country}/inflation/observations", "SeriesObservationList"),
    "economics_list_inflation_vintages": Operation("GET", "/v1/economics/{country}/inflation/vintages", "VintageList"),
    "economics_list_unemployment_observations": Operation("GET", "/v1/economics/{country}/unemployment/observations", "SeriesObservationList"),
    "economics_list_unemployment_vintages": Operation("GET", "/v1/economics/{country}/unemployment/vintages", "VintageList"),
    "economics_list_labour_force_participation_observations": Operation("GET", "/v1/economics/{country}/labour-force-participation/observations", "SeriesObservationList"),
    "economics_list_labour_force_participation_vintages": Operation("GET", "/v1/economics/{country}/labour-force-participation/vintages", "VintageList"),
    "economics_list_gdp_observations": Operation("GET", "/v1/economics/{country}/gdp/observations", "SeriesObservationList"),
    "economics_list_gdp_vintages": Operation("GET", "/v1/economics/{country}/gdp/vintages", "VintageList"),
    "economics_list_gdp_growth_observations": Operation("GET", "/v1/economics/{country}/gdp-growth/observations", "SeriesObservationList"),
    "economics_list_gdp_growth_vintages": Operation("GET", "/v1/economics/{country}/gdp-growth/vintages", "VintageList"),
    "economics_list_trade_observations": Operation("GET", "/v1/economics/{country}/trade/observations", "SeriesObservationList"),
    "economics_list_trade_vintages": Operation("GET", "/v1/economics/{country}/trade/vintages", "VintageList"),
    "economics_get_trade_exports_history": Operation("GET", "/v1/economics/{country}/trade/exports/observations", "ObservationList"),
    "economics_list_trade_exports_vintages": Operation("GET", "/v1/economics/{country}/trade/exports/vintages", "VintageList"),
    "economics_list_trade_imports_observations": Operation("GET", "/v1/economics/{country}/trade/imports/observations", "SeriesObservationList"),
    "economics_list_trade_imports_vintages": Operation("GET", "/v1/economics/{country}/trade/imports/vintages", "VintageList"),
    "commodities_get_spot": Operation("GET", "/v1/commodities/spot/{commodity}/{currency}", "SpotPrice"),
    "fx_get_rates": Operation("GET", "/v1/fx/rates/{base}", "FxRates"),
    "prices_list_candles": Operation("GET", "/v1/prices/{symbol}/candles", "CandleList"),
    "prices_list_candles_of_pairs": Operation("GET", "/v1/prices/candles", "CandlesOfPairs"),
    "prices_list_ticks": Operation("GET", "/v1/prices/{symbol}/ticks", "TickList"),
    "events_list": Operation("GET", "/v1/events", "EventPage"),
    "events_export": Operation("GET", "/v1/events/export", None),
    "events_get": Operation("GET", "/v1/events/{event_id}", "Event"),
    "catalog_list": Operation("GET", "/v1/catalog", "Catalog"),
    "catalog_countries": Operation("GET", "/v1/catalog/countries", "CatalogCountries"),
    "catalog_indicators": Operation("GET", "/v1/catalog/indicators", "CatalogIndicators"),
    "catalog_instruments": Operation("GET", "/v1/catalog/instruments", "CatalogInstruments"),
    "catalog_plans": Operation("GET", "/v1/catalog/plans", "CatalogPlans"),
    "releases_get": Operation("GET", "/v1/releases/{release_id}", "ReleaseDetail"),
    "panel_get": Operation("GET", "/v1/panel", None),
    "claims_verify": Operation("GET", "/v1/verify", "CheckedClaim"),
    "search": Operation("GET", "/v1/search", "SearchResult"),
    "calendar_list": Operation("GET", "/v1/calendar", "Calendar"),
    "calendar_ics": Operation("GET", "/v1/calendar.ics", None),
    "prices_create_stream_ticket": Operation("POST", "/v1/prices/stream-ticket", "StreamTicket"),
    "events_create_stream_ticket": Operation("POST", "/v1/events/stream-ticket", "StreamTicket"),
    "predictions_create_stream_ticket": Operation("POST", "/v1/predictions/stream-ticket", "StreamTicket"),
    "account_get_usage": Operation("GET", "/v1/usage", "Usage"),
}


class RestMethods:
    """Every operation of the service, by its id."""

    def _call(self, operation: str, args: dict[str, Any]) -> Any:
        raise NotImplementedError

    def health_health_get(
        self,
    ) -> models.Health:
        """Health of the service, and age of its data"""
        return self._call("health_health_get", {})

    def economics_get_cpi(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.Cpi:
        """Consumer price index: the latest complete release, or that of one period"""
        return self._call("economics_get_cpi", {"country": country, "period": period})

    def economics_get_inflation(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.Inflation:
        """Inflation: year over year, month over month, year to date: the latest complete release, or that of one period"""
        return self._call("economics_get_inflation", {"country": country, "period": period})

    def economics_get_unemployment(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.Unemployment:
        """Unemployment rate: the latest complete release, or that of one period"""
        return self._call("economics_get_unemployment", {"country": country, "period": period})

    def economics_get_labour_force_participation(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.LabourForceParticipation:
        """Labour force participation rate: the latest complete release, or that of one period"""
        return self._call("economics_get_labour_force_participation", {"country": country, "period": period})

    def economics_get_gdp(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.Gdp:
        """Gross domestic product at current prices: the latest complete release, or that of one period"""
        return self._call("economics_get_gdp", {"country": country, "period": period})

    def economics_get_gdp_growth(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.GdpGrowth:
        """Growth of gross domestic product at constant prices: the latest complete release, or that of one period"""
        return self._call("economics_get_gdp_growth", {"country": country, "period": period})

    def economics_get_trade(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.TradeSummary:
        """Merchandise trade: exports, imports and balance: the latest complete release, or that of one period"""
        return self._call("economics_get_trade", {"country": country, "period": period})

    def economics_get_trade_exports(
        self,
        country: str,
        *,
        period: str | None = None,
        partner: str | None = None,
        product: str | None = None,
        classification: str | None = None,
    ) -> models.TradeExports:
        """Merchandise exports: the latest complete release, or that of one period"""
        return self._call("economics_get_trade_exports", {"country": country, "period": period, "partner": partner, "product": product, "classification": classification})

    def economics_get_trade_imports(
        self,
        country: str,
        *,
        period: str | None = None,
        partner: str | None = None,
        product: str | None = None,
        classification: str | None = None,
    ) -> models.TradeImports:
        """Merchandise imports: the latest complete release, or that of one period"""
        return self._call("economics_get_trade_imports", {"country": country, "period": period, "partner": partner, "product": product, "classification": classification})

    def economics_list_cpi_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Consumer price index: history, page by page from one snapshot"""
        return self._call("economics_list_cpi_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    def economics_list_cpi_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Consumer price index: first prints and revisions, page by page from one snapshot"""
        return self._call("economics_list_cpi_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    def economics_list_inflation_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Inflation: year over year, month over month, year to date: history, page by page from one snapshot"""
        return self._call("economics_list_inflation_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    def economics_list_inflation_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Inflation: year over year, month over month, year to date: first prints and revisions, page by page from one snapshot"""
        return self._call("economics_list_inflation_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    def economics_list_unemployment_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Unemployment rate: history, page by page from one snapshot"""
        return self._call("economics_list_unemployment_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    def economics_list_unemployment_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Unemployment rate: first prints and revisions, page by page from one snapshot"""
        return self._call("economics_list_unemployment_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    def economics_list_labour_force_participation_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Labour force participation rate: history, page by page from one snapshot"""
        return self._call("economics_list_labour_force_participation_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    def economics_list_labour_force_participation_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Labour force participation rate: first prints and revisions, page by page from one snapshot"""
        return self._call("economics_list_labour_force_participation_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    def economics_list_gdp_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Gross domestic product at current prices: history, page by page from one snapshot"""
        return self._call("economics_list_gdp_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    def economics_list_gdp_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["Q"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Gross domestic product at current prices: first prints and revisions, page by page from one snapshot"""
        return self._call("economics_list_gdp_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    def economics_list_gdp_growth_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Growth of gross domestic product at constant prices: history, page by page from one snapshot"""
        return self._call("economics_list_gdp_growth_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    def economics_list_gdp_growth_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["Q"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Growth of gross domestic product at constant prices: first prints and revisions, page by page from one snapshot"""
        return self._call("economics_list_gdp_growth_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    def economics_list_trade_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Merchandise trade: exports, imports and balance: history, page by page from one snapshot"""
        return self._call("economics_list_trade_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    def economics_list_trade_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Merchandise trade: exports, imports and balance: first prints and revisions, page by page from one snapshot"""
        return self._call("economics_list_trade_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    def economics_get_trade_exports_history(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ObservationList:
        """History of merchandise exports, page by page from one snapshot"""
        return self._call("economics_get_trade_exports_history", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    def economics_list_trade_exports_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Merchandise exports: first prints and revisions, page by page from one snapshot"""
        return self._call("economics_list_trade_exports_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    def economics_list_trade_imports_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Merchandise imports: history, page by page from one snapshot"""
        return self._call("economics_list_trade_imports_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    def economics_list_trade_imports_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Merchandise imports: first prints and revisions, page by page from one snapshot"""
        return self._call("economics_list_trade_imports_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    def commodities_get_spot(
        self,
        commodity: str,
        currency: str,
    ) -> models.SpotPrice:
        """Spot price of a commodity in a currency"""
        return self._call("commodities_get_spot", {"commodity": commodity, "currency": currency})

    def fx_get_rates(
        self,
        base: str,
    ) -> models.FxRates:
        """Exchange rates of a base currency"""
        return self._call("fx_get_rates", {"base": base})

    def prices_list_candles(
        self,
        symbol: str,
        *,
        interval: Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1M"] | None = None,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.CandleList:
        """Candles of a pair: first, highest, lowest and last price of each interval"""
        return self._call("prices_list_candles", {"symbol": symbol, "interval": interval, "start": start, "end": end, "limit": limit, "cursor": cursor})

    def prices_list_candles_of_pairs(
        self,
        *,
        symbol: list[str],
        interval: Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1M"] | None = None,
        start: str,
        end: str | None = None,
    ) -> models.CandlesOfPairs:
        """Candles of several pairs in one call"""
        return self._call("prices_list_candles_of_pairs", {"symbol": symbol, "interval": interval, "start": start, "end": end})

    def prices_list_ticks(
        self,
        symbol: str,
        *,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.TickList:
        """Ticks of a pair: each price as its source gave it"""
        return self._call("prices_list_ticks", {"symbol": symbol, "start": start, "end": end, "limit": limit, "cursor": cursor})

    def events_list(
        self,
        *,
        country: list[str] | None = None,
        family: list[Literal["inflation", "labour", "output", "trade", "predictions", "commodities", "fx", "prices", "calendar"]] | None = None,
        type: list[Literal["economics.release.published", "economics.release.revised", "economics.release.withdrawn", "prices.instrument.stale", "prices.instrument.recovered", "prices.source.interrupted", "prices.session.opened", "prices.session.closed", "predictions.prediction.updated", "predictions.prediction.scored", "calendar.release.expected", "calendar.release.late", "calendar.release.cancelled", "calendar.release.restored", "calendar.release.never_published"]] | None = None,
        cursor: str | None = None,
        start: str | None = None,
        limit: int | None = None,
    ) -> models.EventPage:
        """The public event journal, page by page from a cursor"""
        return self._call("events_list", {"country": country, "family": family, "type": type, "cursor": cursor, "start": start, "limit": limit})

    def events_export(
        self,
        *,
        country: list[str] | None = None,
        family: list[Literal["inflation", "labour", "output", "trade", "predictions", "commodities", "fx", "prices", "calendar"]] | None = None,
        type: list[Literal["economics.release.published", "economics.release.revised", "economics.release.withdrawn", "prices.instrument.stale", "prices.instrument.recovered", "prices.source.interrupted", "prices.session.opened", "prices.session.closed", "predictions.prediction.updated", "predictions.prediction.scored", "calendar.release.expected", "calendar.release.late", "calendar.release.cancelled", "calendar.release.restored", "calendar.release.never_published"]] | None = None,
        cursor: str | None = None,
        start: str | None = None,
        end: str | None = None,
    ) -> str:
        """A slice of the public event journal in one answer"""
        return self._call("events_export", {"country": country, "family": family, "type": type, "cursor": cursor, "start": start, "end": end})

    def events_get(
        self,
        event_id: str,
    ) -> models.Event:
        """One event"""
        return self._call("events_get", {"event_id": event_id})

    def catalog_list(
        self,
        *,
        country: list[str] | None = None,
        indicator: list[str] | None = None,
    ) -> models.Catalog:
        """The catalogue: every series with its publisher, span, last release and the next one expected"""
        return self._call("catalog_list", {"country": country, "indicator": indicator})

    def catalog_countries(
        self,
    ) -> models.CatalogCountries:
        """Countries that have figures, and which"""
        return self._call("catalog_countries", {})

    def catalog_indicators(
        self,
    ) -> models.CatalogIndicators:
        """Indicators, and the countries that have them"""
        return self._call("catalog_indicators", {})

    def catalog_instruments(
        self,
    ) -> models.CatalogInstruments:
        """Commodities and currencies that are priced"""
        return self._call("catalog_instruments", {})

    def catalog_plans(
        self,
    ) -> models.CatalogPlans:
        """Plans and their limits"""
        return self._call("catalog_plans", {})

    def releases_get(
        self,
        release_id: str,
    ) -> models.ReleaseDetail:
        """Where a figure comes from: its document, its inputs, and what it revised"""
        return self._call("releases_get", {"release_id": release_id})

    def panel_get(
        self,
        *,
        country: list[str],
        indicator: list[str],
        frequency: Literal["M", "Q", "A"],
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        about: Literal["none", "rows"] | None = None,
    ) -> str:
        """Several countries and indicators at one moment, as one wide table"""
        return self._call("panel_get", {"country": country, "indicator": indicator, "frequency": frequency, "start": start, "end": end, "as_of": as_of, "units": units, "aggregation_method": aggregation_method, "about": about})

    def claims_verify(
        self,
        *,
        country: str,
        indicator: str,
        period: str,
        value: str,
    ) -> models.CheckedClaim:
        """Whether a figure that somebody states was ever published, and is still current"""
        return self._call("claims_verify", {"country": country, "indicator": indicator, "period": period, "value": value})

    def search(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> models.SearchResult:
        """Find figures and prices by name, synonym or a publisher’s id"""
        return self._call("search", {"q": q, "limit": limit})

    def calendar_list(
        self,
        *,
        country: list[str] | None = None,
        indicator: list[str] | None = None,
        status: list[Literal["expected", "late", "published", "cancelled", "never_published"]] | None = None,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.Calendar:
        """The release calendar: what is expected, late, published, cancelled or was never published"""
        return self._call("calendar_list", {"country": country, "indicator": indicator, "status": status, "start": start, "end": end, "limit": limit, "cursor": cursor})

    def calendar_ics(
        self,
        *,
        country: list[str] | None = None,
        indicator: list[str] | None = None,
        status: list[Literal["expected", "late", "published", "cancelled", "never_published"]] | None = None,
        start: str | None = None,
        end: str | None = None,
    ) -> str:
        """The release calendar as iCalendar, to subscribe to"""
        return self._call("calendar_ics", {"country": country, "indicator": indicator, "status": status, "start": start, "end": end})

    def prices_create_stream_ticket(
        self,
        *,
        origin: str,
    ) -> models.StreamTicket:
        """A single-use ticket with which a web page opens the prices stream"""
        return self._call("prices_create_stream_ticket", {"origin": origin})

    def events_create_stream_ticket(
        self,
        *,
        origin: str,
    ) -> models.StreamTicket:
        """A single-use ticket with which a web page opens the events stream"""
        return self._call("events_create_stream_ticket", {"origin": origin})

    def predictions_create_stream_ticket(
        self,
        *,
        origin: str,
    ) -> models.StreamTicket:
        """A single-use ticket with which a web page opens the predictions stream"""
        return self._call("predictions_create_stream_ticket", {"origin": origin})

    def account_get_usage(
        self,
    ) -> models.Usage:
        """What this key has used this month, and its limits"""
        return self._call("account_get_usage", {})


class AsyncRestMethods:
    """Every operation of the service, by its id."""

    async def _call(self, operation: str, args: dict[str, Any]) -> Any:
        raise NotImplementedError

    async def health_health_get(
        self,
    ) -> models.Health:
        """Health of the service, and age of its data"""
        return await self._call("health_health_get", {})

    async def economics_get_cpi(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.Cpi:
        """Consumer price index: the latest complete release, or that of one period"""
        return await self._call("economics_get_cpi", {"country": country, "period": period})

    async def economics_get_inflation(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.Inflation:
        """Inflation: year over year, month over month, year to date: the latest complete release, or that of one period"""
        return await self._call("economics_get_inflation", {"country": country, "period": period})

    async def economics_get_unemployment(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.Unemployment:
        """Unemployment rate: the latest complete release, or that of one period"""
        return await self._call("economics_get_unemployment", {"country": country, "period": period})

    async def economics_get_labour_force_participation(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.LabourForceParticipation:
        """Labour force participation rate: the latest complete release, or that of one period"""
        return await self._call("economics_get_labour_force_participation", {"country": country, "period": period})

    async def economics_get_gdp(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.Gdp:
        """Gross domestic product at current prices: the latest complete release, or that of one period"""
        return await self._call("economics_get_gdp", {"country": country, "period": period})

    async def economics_get_gdp_growth(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.GdpGrowth:
        """Growth of gross domestic product at constant prices: the latest complete release, or that of one period"""
        return await self._call("economics_get_gdp_growth", {"country": country, "period": period})

    async def economics_get_trade(
        self,
        country: str,
        *,
        period: str | None = None,
    ) -> models.TradeSummary:
        """Merchandise trade: exports, imports and balance: the latest complete release, or that of one period"""
        return await self._call("economics_get_trade", {"country": country, "period": period})

    async def economics_get_trade_exports(
        self,
        country: str,
        *,
        period: str | None = None,
        partner: str | None = None,
        product: str | None = None,
        classification: str | None = None,
    ) -> models.TradeExports:
        """Merchandise exports: the latest complete release, or that of one period"""
        return await self._call("economics_get_trade_exports", {"country": country, "period": period, "partner": partner, "product": product, "classification": classification})

    async def economics_get_trade_imports(
        self,
        country: str,
        *,
        period: str | None = None,
        partner: str | None = None,
        product: str | None = None,
        classification: str | None = None,
    ) -> models.TradeImports:
        """Merchandise imports: the latest complete release, or that of one period"""
        return await self._call("economics_get_trade_imports", {"country": country, "period": period, "partner": partner, "product": product, "classification": classification})

    async def economics_list_cpi_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Consumer price index: history, page by page from one snapshot"""
        return await self._call("economics_list_cpi_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    async def economics_list_cpi_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Consumer price index: first prints and revisions, page by page from one snapshot"""
        return await self._call("economics_list_cpi_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    async def economics_list_inflation_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Inflation: year over year, month over month, year to date: history, page by page from one snapshot"""
        return await self._call("economics_list_inflation_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    async def economics_list_inflation_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Inflation: year over year, month over month, year to date: first prints and revisions, page by page from one snapshot"""
        return await self._call("economics_list_inflation_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    async def economics_list_unemployment_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Unemployment rate: history, page by page from one snapshot"""
        return await self._call("economics_list_unemployment_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    async def economics_list_unemployment_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Unemployment rate: first prints and revisions, page by page from one snapshot"""
        return await self._call("economics_list_unemployment_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    async def economics_list_labour_force_participation_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Labour force participation rate: history, page by page from one snapshot"""
        return await self._call("economics_list_labour_force_participation_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    async def economics_list_labour_force_participation_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Labour force participation rate: first prints and revisions, page by page from one snapshot"""
        return await self._call("economics_list_labour_force_participation_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    async def economics_list_gdp_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Gross domestic product at current prices: history, page by page from one snapshot"""
        return await self._call("economics_list_gdp_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    async def economics_list_gdp_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["Q"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Gross domestic product at current prices: first prints and revisions, page by page from one snapshot"""
        return await self._call("economics_list_gdp_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    async def economics_list_gdp_growth_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Growth of gross domestic product at constant prices: history, page by page from one snapshot"""
        return await self._call("economics_list_gdp_growth_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    async def economics_list_gdp_growth_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["Q"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Growth of gross domestic product at constant prices: first prints and revisions, page by page from one snapshot"""
        return await self._call("economics_list_gdp_growth_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    async def economics_list_trade_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Merchandise trade: exports, imports and balance: history, page by page from one snapshot"""
        return await self._call("economics_list_trade_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    async def economics_list_trade_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Merchandise trade: exports, imports and balance: first prints and revisions, page by page from one snapshot"""
        return await self._call("economics_list_trade_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    async def economics_get_trade_exports_history(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ObservationList:
        """History of merchandise exports, page by page from one snapshot"""
        return await self._call("economics_get_trade_exports_history", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    async def economics_list_trade_exports_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Merchandise exports: first prints and revisions, page by page from one snapshot"""
        return await self._call("economics_list_trade_exports_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    async def economics_list_trade_imports_observations(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        frequency: Literal["M", "Q", "A"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        sort: Literal["asc", "desc"] | None = None,
        print: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SeriesObservationList:
        """Merchandise imports: history, page by page from one snapshot"""
        return await self._call("economics_list_trade_imports_observations", {"country": country, "start": start, "end": end, "as_of": as_of, "frequency": frequency, "aggregation_method": aggregation_method, "units": units, "sort": sort, "print": print, "limit": limit, "cursor": cursor})

    async def economics_list_trade_imports_vintages(
        self,
        country: str,
        *,
        period: str | None = None,
        start: str | None = None,
        end: str | None = None,
        frequency: Literal["M", "A"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.VintageList:
        """Merchandise imports: first prints and revisions, page by page from one snapshot"""
        return await self._call("economics_list_trade_imports_vintages", {"country": country, "period": period, "start": start, "end": end, "frequency": frequency, "limit": limit, "cursor": cursor})

    async def commodities_get_spot(
        self,
        commodity: str,
        currency: str,
    ) -> models.SpotPrice:
        """Spot price of a commodity in a currency"""
        return await self._call("commodities_get_spot", {"commodity": commodity, "currency": currency})

    async def fx_get_rates(
        self,
        base: str,
    ) -> models.FxRates:
        """Exchange rates of a base currency"""
        return await self._call("fx_get_rates", {"base": base})

    async def prices_list_candles(
        self,
        symbol: str,
        *,
        interval: Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1M"] | None = None,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.CandleList:
        """Candles of a pair: first, highest, lowest and last price of each interval"""
        return await self._call("prices_list_candles", {"symbol": symbol, "interval": interval, "start": start, "end": end, "limit": limit, "cursor": cursor})

    async def prices_list_candles_of_pairs(
        self,
        *,
        symbol: list[str],
        interval: Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1M"] | None = None,
        start: str,
        end: str | None = None,
    ) -> models.CandlesOfPairs:
        """Candles of several pairs in one call"""
        return await self._call("prices_list_candles_of_pairs", {"symbol": symbol, "interval": interval, "start": start, "end": end})

    async def prices_list_ticks(
        self,
        symbol: str,
        *,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.TickList:
        """Ticks of a pair: each price as its source gave it"""
        return await self._call("prices_list_ticks", {"symbol": symbol, "start": start, "end": end, "limit": limit, "cursor": cursor})

    async def events_list(
        self,
        *,
        country: list[str] | None = None,
        family: list[Literal["inflation", "labour", "output", "trade", "predictions", "commodities", "fx", "prices", "calendar"]] | None = None,
        type: list[Literal["economics.release.published", "economics.release.revised", "economics.release.withdrawn", "prices.instrument.stale", "prices.instrument.recovered", "prices.source.interrupted", "prices.session.opened", "prices.session.closed", "predictions.prediction.updated", "predictions.prediction.scored", "calendar.release.expected", "calendar.release.late", "calendar.release.cancelled", "calendar.release.restored", "calendar.release.never_published"]] | None = None,
        cursor: str | None = None,
        start: str | None = None,
        limit: int | None = None,
    ) -> models.EventPage:
        """The public event journal, page by page from a cursor"""
        return await self._call("events_list", {"country": country, "family": family, "type": type, "cursor": cursor, "start": start, "limit": limit})

    async def events_export(
        self,
        *,
        country: list[str] | None = None,
        family: list[Literal["inflation", "labour", "output", "trade", "predictions", "commodities", "fx", "prices", "calendar"]] | None = None,
        type: list[Literal["economics.release.published", "economics.release.revised", "economics.release.withdrawn", "prices.instrument.stale", "prices.instrument.recovered", "prices.source.interrupted", "prices.session.opened", "prices.session.closed", "predictions.prediction.updated", "predictions.prediction.scored", "calendar.release.expected", "calendar.release.late", "calendar.release.cancelled", "calendar.release.restored", "calendar.release.never_published"]] | None = None,
        cursor: str | None = None,
        start: str | None = None,
        end: str | None = None,
    ) -> str:
        """A slice of the public event journal in one answer"""
        return await self._call("events_export", {"country": country, "family": family, "type": type, "cursor": cursor, "start": start, "end": end})

    async def events_get(
        self,
        event_id: str,
    ) -> models.Event:
        """One event"""
        return await self._call("events_get", {"event_id": event_id})

    async def catalog_list(
        self,
        *,
        country: list[str] | None = None,
        indicator: list[str] | None = None,
    ) -> models.Catalog:
        """The catalogue: every series with its publisher, span, last release and the next one expected"""
        return await self._call("catalog_list", {"country": country, "indicator": indicator})

    async def catalog_countries(
        self,
    ) -> models.CatalogCountries:
        """Countries that have figures, and which"""
        return await self._call("catalog_countries", {})

    async def catalog_indicators(
        self,
    ) -> models.CatalogIndicators:
        """Indicators, and the countries that have them"""
        return await self._call("catalog_indicators", {})

    async def catalog_instruments(
        self,
    ) -> models.CatalogInstruments:
        """Commodities and currencies that are priced"""
        return await self._call("catalog_instruments", {})

    async def catalog_plans(
        self,
    ) -> models.CatalogPlans:
        """Plans and their limits"""
        return await self._call("catalog_plans", {})

    async def releases_get(
        self,
        release_id: str,
    ) -> models.ReleaseDetail:
        """Where a figure comes from: its document, its inputs, and what it revised"""
        return await self._call("releases_get", {"release_id": release_id})

    async def panel_get(
        self,
        *,
        country: list[str],
        indicator: list[str],
        frequency: Literal["M", "Q", "A"],
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        units: Literal["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"] | None = None,
        aggregation_method: Literal["avg", "sum", "eop"] | None = None,
        about: Literal["none", "rows"] | None = None,
    ) -> str:
        """Several countries and indicators at one moment, as one wide table"""
        return await self._call("panel_get", {"country": country, "indicator": indicator, "frequency": frequency, "start": start, "end": end, "as_of": as_of, "units": units, "aggregation_method": aggregation_method, "about": about})

    async def claims_verify(
        self,
        *,
        country: str,
        indicator: str,
        period: str,
        value: str,
    ) -> models.CheckedClaim:
        """Whether a figure that somebody states was ever published, and is still current"""
        return await self._call("claims_verify", {"country": country, "indicator": indicator, "period": period, "value": value})

    async def search(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> models.SearchResult:
        """Find figures and prices by name, synonym or a publisher’s id"""
        return await self._call("search", {"q": q, "limit": limit})

    async def calendar_list(
        self,
        *,
        country: list[str] | None = None,
        indicator: list[str] | None = None,
        status: list[Literal["expected", "late", "published", "cancelled", "never_published"]] | None = None,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.Calendar:
        """The release calendar: what is expected, late, published, cancelled or was never published"""
        return await self._call("calendar_list", {"country": country, "indicator": indicator, "status": status, "start": start, "end": end, "limit": limit, "cursor": cursor})

    async def calendar_ics(
        self,
        *,
        country: list[str] | None = None,
        indicator: list[str] | None = None,
        status: list[Literal["expected", "late", "published", "cancelled", "never_published"]] | None = None,
        start: str | None = None,
        end: str | None = None,
    ) -> str:
        """The release calendar as iCalendar, to subscribe to"""
        return await self._call("calendar_ics", {"country": country, "indicator": indicator, "status": status, "start": start, "end": end})

    async def prices_create_stream_ticket(
        self,
        *,
        origin: str,
    ) -> models.StreamTicket:
        """A single-use ticket with which a web page opens the prices stream"""
        return await self._call("prices_create_stream_ticket", {"origin": origin})

    async def events_create_stream_ticket(
        self,
        *,
        origin: str,
    ) -> models.StreamTicket:
        """A single-use ticket with which a web page opens the events stream"""
        return await self._call("events_create_stream_ticket", {"origin": origin})

    async def predictions_create_stream_ticket(
        self,
        *,
        origin: str,
    ) -> models.StreamTicket:
        """A single-use ticket with which a web page opens the predictions stream"""
        return await self._call("predictions_create_stream_ticket", {"origin": origin})

    async def account_get_usage(
        self,
    ) -> models.Usage:
        """What this key has used this month, and its limits"""
        return await self._call("account_get_usage", {})
