"""Makes the generated models of JSON. Members that a model does not know are left out: /v1 may gain some."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from .generated import models

Number = Callable[[str], Any]
"""Makes a number of a decimal's text: Decimal, or float if it is asked for."""

_SCHEMA = "urn:almanac:schema:"
_Reader = Callable[[Any, Number], Any]


def decode(value: Any, model: str, number: Number) -> Any:
    """Make the model of that name of a JSON value."""
    return _reader_of(models.MODELS[model])(value, number)


@cache
def _reader_of(kind: Any) -> _Reader:
    origin = get_origin(kind)
    if kind is Decimal:
        return lambda value, number: number(value)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _event_reader() if kind is models.Event else _model_reader(kind)
    if origin is list:
        item = _reader_of(get_args(kind)[0])
        return lambda value, number: [item(one, number) for one in value]
    if origin is dict:
        member = _reader_of(get_args(kind)[1])
        return lambda value, number: {name: member(one, number) for name, one in value.items()}
    if origin in (Union, types.UnionType):
        return _union_reader(kind)
    return lambda value, _: value


def _union_reader(kind: Any) -> _Reader:
    """None stays None. A union has at most one kind of value besides None and plain text."""
    kinds = [one for one in get_args(kind) if one is not type(None) and get_origin(one) is not Literal and one is not str]
    if len(kinds) != 1:
        return lambda value, _: value
    reader = _reader_of(kinds[0])
    return lambda value, number: None if value is None else reader(value, number)


def _model_reader(kind: type) -> _Reader:
    readers = [(name, _reader_of(hint)) for name, hint in get_type_hints(kind).items()]

    def read(value: Any, number: Number) -> Any:
        return kind(**{name: reader(value[name], number) for name, reader in readers if name in value})

    return read


def _event_reader() -> _Reader:
    """The data of an event is the model that its `dataschema` names, or the plain JSON if that is unknown."""
    plain = _model_reader(models.Event)

    def read(value: Any, number: Number) -> Any:
        event = plain(value, number)
        model = models.MODELS.get(event.dataschema.removeprefix(_SCHEMA))
        return event if model is None else dataclasses.replace(event, data=_reader_of(model)(event.data, number))

    return read
