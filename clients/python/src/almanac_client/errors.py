"""Typed errors. Programs go by `code`; the sentences are for people and may change."""

from __future__ import annotations

from .generated.stream_errors import STREAM_ERROR_MEANINGS

_PASSING = frozenset({429, 502, 503, 504})


class AlmanacError(Exception):
    """Any error of the service or of a stream."""

    code: str


class RestError(AlmanacError):
    """A REST call that failed: its answer is a problem document (RFC 9457), or it had no answer (`unreachable`)."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.status = status
        """HTTP status of the answer; None if there was none."""
        self.request_id = request_id
        self.retry_after = retry_after
        """Seconds after which the same call may succeed; None if the service did not say."""

    @property
    def is_retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return self.status is None or self.status in _PASSING


class StreamError(AlmanacError):
    """An error that ended a stream for good. Errors that pass are retried and never seen."""

    def __init__(self, code: str, detail: str, status: int | None, resume_cursor: str | None) -> None:
        # The prices stream sends codes without a detail.
        meaning = detail or STREAM_ERROR_MEANINGS.get(code)
        super().__init__(f"{code}: {meaning}" if meaning else code)
        self.code = code
        self.status = status
        """Close code or HTTP status, as far as known."""
        self.resume_cursor = resume_cursor
        """Where the server offers to continue. Events before it may be lost, so continuing there is your decision."""
