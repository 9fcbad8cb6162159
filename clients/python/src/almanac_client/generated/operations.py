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
    "economics_get_trade_exports_history": Operation("GET", "/v1/economics/{country}/trade/exports/observations", "ObservationList"),
    "commodities_get_spot": Operation("GET", "/v1/commodities/spot/{commodity}/{currency}", "SpotPrice"),
    "fx_get_rates": Operation("GET", "/v1/fx/rates/{base}", "FxRates"),
    "events_list": Operation("GET", "/v1/events", "EventPage"),
    "events_get": Operation("GET", "/v1/events/{event_id}", "Event"),
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

    def economics_get_trade_exports_history(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ObservationList:
        """History of merchandise exports, page by page from one snapshot"""
        return self._call("economics_get_trade_exports_history", {"country": country, "start": start, "end": end, "limit": limit, "cursor": cursor})

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

    def events_list(
        self,
        *,
        country: list[str] | None = None,
        family: list[Literal["inflation", "labour", "output", "trade", "predictions", "commodities", "fx"]] | None = None,
        type: list[Literal["economics.release.published", "economics.release.revised", "prices.instrument.stale", "prices.instrument.recovered", "prices.session.opened", "prices.session.closed", "predictions.prediction.updated", "predictions.prediction.scored"]] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.EventPage:
        """The public event journal, page by page from a cursor"""
        return self._call("events_list", {"country": country, "family": family, "type": type, "cursor": cursor, "limit": limit})

    def events_get(
        self,
        event_id: str,
    ) -> models.Event:
        """One event"""
        return self._call("events_get", {"event_id": event_id})

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

    async def economics_get_trade_exports_history(
        self,
        country: str,
        *,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ObservationList:
        """History of merchandise exports, page by page from one snapshot"""
        return await self._call("economics_get_trade_exports_history", {"country": country, "start": start, "end": end, "limit": limit, "cursor": cursor})

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

    async def events_list(
        self,
        *,
        country: list[str] | None = None,
        family: list[Literal["inflation", "labour", "output", "trade", "predictions", "commodities", "fx"]] | None = None,
        type: list[Literal["economics.release.published", "economics.release.revised", "prices.instrument.stale", "prices.instrument.recovered", "prices.session.opened", "prices.session.closed", "predictions.prediction.updated", "predictions.prediction.scored"]] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.EventPage:
        """The public event journal, page by page from a cursor"""
        return await self._call("events_list", {"country": country, "family": family, "type": type, "cursor": cursor, "limit": limit})

    async def events_get(
        self,
        event_id: str,
    ) -> models.Event:
        """One event"""
        return await self._call("events_get", {"event_id": event_id})

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
