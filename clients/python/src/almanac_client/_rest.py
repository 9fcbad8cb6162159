"""REST calls: what is sent, what is made of the answer, and when a call is repeated. Used by both clients."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import quote

import httpx

from ._decode import Number, decode
from .errors import ProblemError
from .generated.operations import OPERATIONS

_MAX_WAIT_S = 30
"""Longest `Retry-After` that is waited for. A used-up month is longer, and is reported."""
_FIRST_WAIT_S = 0.25


def request_of(operation: str, args: dict[str, Any], accept: str | None = None) -> dict[str, Any]:
    """Return the arguments of httpx's `request`."""
    method, template, answer = OPERATIONS[operation]
    if accept is None:
        # An operation without a model answers in text of some other type.
        accept = "*/*" if answer is None else "application/json"
    left = {name: value for name, value in args.items() if value is not None}
    path = template
    for name in [name for name in left if f"{{{name}}}" in template]:
        path = path.replace(f"{{{name}}}", quote(str(left.pop(name)), safe=""))
    body = {"params": left} if method == "GET" else {"json": left}
    return {"method": method, "url": path, "headers": {"accept": accept}, **body}


def read_answer(operation: str, answer: httpx.Response, number: Number) -> Any:
    """Return the answer as its model. Raises `ProblemError`."""
    raise_problem(answer)
    model = OPERATIONS[operation].answer
    return answer.text if model is None else decode(answer.json(), model, number)


def raise_problem(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    try:
        body = answer.json()
    except ValueError:
        body = None
    header = answer.headers.get("retry-after", "")
    raise ProblemError(answer.status_code, body, int(header) if header.isdigit() else None)


def wait_before(attempt: int, retries: int, problem: ProblemError) -> float:
    """Return the seconds before a call is repeated. Raises the problem if it should not be."""
    after = problem.retry_after or 0
    if attempt >= retries or not problem.is_retryable or after > _MAX_WAIT_S:
        raise problem
    return after + random.random() * _FIRST_WAIT_S * 2**attempt


def next_page(page: Any) -> str | None:
    """Return the cursor of the next page; None if this is the last."""
    return page.next_cursor if getattr(page, "has_more", True) else None


def history_operation(indicator: str) -> str:
    """Return the operation that serves the history of an indicator, by the end of its address."""
    end = f"/{indicator}/observations"
    for name, operation in OPERATIONS.items():
        if operation.path.endswith(end):
            return name
    raise ValueError(f"{indicator!r} has no history.")
