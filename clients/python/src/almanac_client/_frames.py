"""What a frame of the server means for the machine."""

from __future__ import annotations

import json
from typing import Any

_DATA = frozenset({"event", "commodity", "fx", "prediction"})
_PLAIN = frozenset({"ready", "subscribed", "checkpoint", "caught_up", "heartbeat", "error"})
_NOTICES = frozenset({"falling_behind", "going_away"})


def read_frame(data: str | bytes | None) -> dict[str, Any]:
    """Read the content of a frame. Anything but text is a binary frame."""
    message = _parse(data) if isinstance(data, str) else None
    if message is None:
        return {"on": "malformed"}
    kind = message["type"]
    if kind in _DATA:
        on = "data"
    elif kind in _PLAIN:
        on = kind
    elif kind == "notice" and message.get("code") in _NOTICES:
        on = message["code"]
    else:
        on = "other"
    return {"on": on, "message": message}


def _parse(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("type"), str) else None
