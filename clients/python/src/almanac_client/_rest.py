"""REST calls: what is sent, what is made of the answer, and when a call is repeated. Used by both clients."""

from __future__ import annotations

import json
import random
import re
from typing import Any, Literal
from urllib.parse import quote

import httpx

from ._advice import advice
from ._decode import Number, decode
from .errors import RestError
from .generated.operations import OPERATIONS

_MAX_WAIT_S = 30
"""Longest `Retry-After` that is waited for. A used-up month is longer, and is reported."""
_FIRST_WAIT_S = 0.25


def request_of(operation: str, args: dict[str, Any], accept: str | None = None) -> dict[str, Any]:
    """Return the arguments of httpx's `request`."""
    if operation not in OPERATIONS:
        raise ValueError(f"There is no operation {operation!r}. {advice(operation, list(OPERATIONS))}")
    method, template, answer = OPERATIONS[operation]
    if accept is None:
        # An operation without a model answers in text of some other type.
        accept = "*/*" if answer is None else "application/json"
    left = {name: value for name, value in args.items() if value is not None}
    path = template
    for name in re.findall(r"\{(\w+)\}", template):
        if name not in left:
            raise TypeError(f"{operation} needs {name!r}.")
        path = path.replace(f"{{{name}}}", quote(str(left.pop(name)), safe=""))
    body = {"params": left} if method == "GET" else {"json": left}
    return {"method": method, "url": path, "headers": {"accept": accept}, **body}


def read_answer(operation: str, answer: httpx.Response, number: Number) -> Any:
    """Return a successful answer as its model."""
    model = OPERATIONS[operation].answer
    return answer.text if model is None else decode(answer.json(), model, number)


def raise_problem(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    problem = problem_members(answer.content)
    header = answer.headers.get("retry-after", "")
    raise RestError(
        str(problem.get("code", "unknown")),
        str(problem.get("detail") or problem.get("title") or f"The answer has status {answer.status_code}."),
        status=answer.status_code,
        request_id=problem.get("request_id"),
        retry_after=int(header) if header.isdigit() else None,
    )


def problem_members(answer: bytes) -> dict[str, Any]:
    """Return the members of a problem document; none of a text that is something else, such as a proxy's error page."""
    try:
        body = json.loads(answer)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def unreachable(error: httpx.TransportError) -> RestError:
    reason = str(error).rstrip(".") or type(error).__name__
    hint = "Check that the service runs, and that `url` is its address."
    return RestError("unreachable", f"{error.request.url} cannot be reached: {reason}. {hint}")


def wait_before(attempt: int, retries: int, problem: RestError) -> float:
    """Return the seconds before a call is repeated. Raises the problem if it should not be."""
    after = problem.retry_after or 0
    if attempt >= retries or not problem.is_retryable or after > _MAX_WAIT_S:
        raise problem
    return after + random.random() * _FIRST_WAIT_S * 2**attempt


def args_of_page(operation: str, args: dict[str, Any], cursor: str | None) -> dict[str, Any]:
    """Return the arguments of a page. Without a cursor it is the first one."""
    if cursor is None:
        return args
    # A page of events begins at a start or at a cursor. In the other lists a start is a bound, which later pages have, too.
    kept = {name: value for name, value in args.items() if operation != "events_list" or name != "start"}
    return {**kept, "cursor": cursor}


def next_page(page: Any) -> str | None:
    """Return the cursor of the next page; None if this is the last."""
    return page.next_cursor if getattr(page, "has_more", True) else None


def list_operation(indicator: str, list_name: Literal["observations", "vintages"]) -> str:
    """Return the operation that serves a list of an indicator, by the end of its address."""
    path = re.compile(rf"/v1/economics/\{{country\}}/(.+)/{list_name}")
    matches = {name: path.fullmatch(operation.path) for name, operation in OPERATIONS.items()}
    addresses = {name: match[1] for name, match in matches.items() if match}
    for name, address in addresses.items():
        if address == indicator or address.endswith(f"/{indicator}"):
            return name
    raise ValueError(f"{indicator!r} has no history. {advice(indicator, list(addresses.values()))}")
