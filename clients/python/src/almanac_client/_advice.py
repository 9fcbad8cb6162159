"""Advice on mistyped names."""

from __future__ import annotations

import difflib


def advice(typed: str, known: list[str]) -> str:
    """Return a sentence with the name that was probably meant, or else with those that there are."""
    near = difflib.get_close_matches(typed, known, n=1)
    return f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}."
