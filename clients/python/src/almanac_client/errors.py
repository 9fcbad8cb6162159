"""Typed errors. Programs go by `code`; the sentences are for people and may change."""

from __future__ import annotations

from typing import Any

_PASSING = frozenset({429, 502, 503, 504})


class AlmanacError(Exception):
    """Any error of the service or of a stream."""

    code: str


class ProblemError(AlmanacError):
    """An answer that is a problem document (RFC 9457)."""

    def __init__(self, status: int, body: Any, retry_after: float | None) -> None:
        problem: dict[str, Any] = body if isinstance(body, dict) else {}
        super().__init__(str(problem.get("detail") or problem.get("title") or f"The answer has status {status}."))
        self.code = str(problem.get("code", "unknown"))
        self.status = status
        self.request_id: str | None = problem.get("request_id")
        self.retry_after = retry_after
        """Seconds after which the same call may succeed; None if the service did not say."""

    @property
    def is_retryable(self) -> bool:
        return self.status in _PASSING


class StreamError(AlmanacError):
    """An error that ended a stream for good. Errors that pass are retried and never seen."""

    def __init__(self, code: str, detail: str, status: int | None, resume_cursor: str | None) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.status = status
        """Close code or HTTP status, as far as known."""
        self.resume_cursor = resume_cursor
        """Where the server offers to continue. Events before it may be lost, so continuing there is your decision."""
