"""The life of a stream, as a pure function that interprets clients/stream-transitions.json.

clients/PROTOCOL.md says what states, inputs, guards and effects mean. The TypeScript client has the same function, and the
same traces test both. Inputs and effects are dicts with the names of the traces: an input has `on`, an effect has `do`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .generated.transitions import TABLE

Input = dict[str, Any]
Effect = dict[str, Any]
Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Machine:
    cursor: str | None
    """Place behind the last message that was delivered; None where the stream has none."""
    state: str = "idle"
    sequence: str | None = None
    """Sequence of the last event that was delivered."""
    attempts: int = 0
    """Attempts to connect since data last came. Once the newest one has failed, these are the failures in a row."""
    caught_up: bool = False
    ticket_refused: bool = False
    """Whether a ticket was refused since data last came."""
    error: Message | None = None
    """The error whose close is awaited in `ending`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineOptions:
    cursor: str | None = None
    can_pause: bool = True
    uses_tickets: bool = False
    on_lost_place: str = "fail"
    max_attempts: int | None = None
    first_ms: float = TABLE["backoff"]["first_ms"]
    max_ms: float = TABLE["backoff"]["max_ms"]


@dataclass(frozen=True, slots=True)
class _Situation:
    machine: Machine
    input: Input
    options: MachineOptions
    random: float


_ERRORS: dict[str, dict[str, Any]] = TABLE["errors"]
_CLOSES: dict[str, dict[str, Any]] = TABLE["closes"]
_RETRY = {"verdict": "retry"}


def _rows() -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The rows of the table by state and input, in their order."""
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in TABLE["transitions"]:
        inputs = row["on"] if isinstance(row["on"], list) else [row["on"]]
        for state in row["in"]:
            for name in inputs:
                rows.setdefault((state, name), []).append(row)
    return rows


def step(machine: Machine, input: Input, options: MachineOptions, random: float) -> tuple[Machine, list[Effect]]:
    """Take an input. `random` is a number from 0 up to 1, drawn anew for each call."""
    situation = _Situation(machine, input, options, random)
    for row in _ROWS.get((machine.state, input["on"]), ()):
        guard = row.get("if")
        if guard is None or _GUARDS[guard](situation):
            break
    else:
        return machine, []
    effects: list[Effect] = []
    after = machine if machine.state == row["to"] else replace(machine, state=row["to"])
    for action in row["do"]:
        name, _, argument = action.partition(":")
        after = _ACTIONS[name](_Situation(after, input, options, random), effects, argument)
    return after, effects


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _event(message: Message | None) -> dict[str, Any] | None:
    event = message.get("event") if message else None
    return event if isinstance(event, dict) else None


def _cursor(message: Message | None) -> str | None:
    """Cursor of a message, or of the event in it."""
    holder = _event(message) or message
    return _text(holder.get("cursor")) if holder else None


def _code(situation: _Situation) -> str:
    """The code of an error: of its message, or the word that the reason of a close begins with."""
    given, machine = situation.input, situation.machine
    if given["on"] == "error":
        return str(given["message"].get("code"))
    match = re.match(r"[A-Za-z0-9_]*", given.get("reason") or "")
    word = match.group() if match else ""
    if word in _ERRORS:
        return word
    return (_text(machine.error.get("code")) if machine.error else None) or ""


def _verdict(situation: _Situation) -> dict[str, Any]:
    return _ERRORS.get(_code(situation)) or _CLOSES.get(str(situation.input.get("code"))) or _RETRY


def _resume_cursor(situation: _Situation) -> str | None:
    message = situation.input.get("message") or situation.machine.error
    return _text(message.get("resume_cursor")) if message else None


def _is_repeated(situation: _Situation) -> bool:
    event = _event(situation.input["message"])
    sequence = _text(event.get("sequence")) if event else None
    last = situation.machine.sequence
    return sequence is not None and last is not None and sequence <= last


def _may_resume_elsewhere(situation: _Situation) -> bool:
    return (
        _verdict(situation).get("place") == "lost"
        and _resume_cursor(situation) is not None
        and situation.options.on_lost_place == "resume"
    )


def _is_spent_ticket(situation: _Situation) -> bool:
    return (
        _code(situation) == "unauthorized"
        and situation.options.uses_tickets
        and not situation.machine.ticket_refused
    )


def _gives_up(situation: _Situation) -> bool:
    most = situation.options.max_attempts
    return most is not None and situation.machine.attempts >= most


_GUARDS: dict[str, Callable[[_Situation], bool]] = {
    "is_repeated": _is_repeated,
    "can_pause": lambda situation: situation.options.can_pause,
    "is_unknown": lambda situation: _code(situation) not in _ERRORS,
    "is_fatal": lambda situation: _verdict(situation)["verdict"] == "fail",
    "may_resume_elsewhere": _may_resume_elsewhere,
    "is_spent_ticket": _is_spent_ticket,
    "is_fatal_refusal": lambda situation: situation.input.get("status") in TABLE["refusals"],
    "gives_up": _gives_up,
}

_Action = Callable[[_Situation, list[Effect], str], Machine]


def _always(name: str) -> _Action:
    """An action that only has an effect."""

    def act(situation: _Situation, effects: list[Effect], _: str) -> Machine:
        effects.append({"do": name})
        return situation.machine

    return act


def _move_to(machine: Machine, cursor: str | None, caught_up: bool, effects: list[Effect]) -> Machine:
    if cursor is None:
        return replace(machine, caught_up=caught_up)
    effects.append({"do": "mark", "cursor": cursor, "caught_up": caught_up})
    return replace(machine, cursor=cursor, caught_up=caught_up)


def _connect(situation: _Situation, effects: list[Effect], _: str) -> Machine:
    effects.append({"do": "connect"})
    return replace(situation.machine, attempts=situation.machine.attempts + 1)


def _timer(situation: _Situation, effects: list[Effect], name: str) -> Machine:
    effects.append({"do": "timer", "ms": TABLE["timers"][name]})
    return situation.machine


def _subscribe(situation: _Situation, effects: list[Effect], _: str) -> Machine:
    effects.append({"do": "subscribe", "cursor": situation.machine.cursor})
    return situation.machine


def _take_place(situation: _Situation, effects: list[Effect], _: str) -> Machine:
    return _move_to(situation.machine, _cursor(situation.input["message"]), False, effects)


def _mark(situation: _Situation, effects: list[Effect], _: str) -> Machine:
    machine = situation.machine
    return _move_to(machine, _cursor(situation.input["message"]), machine.caught_up, effects)


def _catch_up(situation: _Situation, effects: list[Effect], _: str) -> Machine:
    return _move_to(situation.machine, _cursor(situation.input["message"]), True, effects)


def _fall_behind(situation: _Situation, _: list[Effect], __: str) -> Machine:
    return replace(situation.machine, caught_up=False)


def _progress(situation: _Situation, _: list[Effect], __: str) -> Machine:
    machine = situation.machine
    if machine.attempts == 0 and not machine.ticket_refused and machine.error is None:
        return machine
    return replace(machine, attempts=0, ticket_refused=False, error=None)


def _deliver(situation: _Situation, effects: list[Effect], _: str) -> Machine:
    machine, message = situation.machine, situation.input["message"]
    cursor, event = _cursor(message), _event(message)
    effects.append({"do": "deliver", "cursor": cursor, "message": message})
    sequence = _text(event.get("sequence")) if event else None
    return replace(machine, cursor=cursor if cursor is not None else machine.cursor, sequence=sequence)


def _remember(situation: _Situation, _: list[Effect], __: str) -> Machine:
    return replace(situation.machine, error=situation.input.get("message"))


def _note_ticket(situation: _Situation, _: list[Effect], __: str) -> Machine:
    return replace(situation.machine, ticket_refused=True)


def _move_place(situation: _Situation, effects: list[Effect], _: str) -> Machine:
    cursor = _resume_cursor(situation)
    if cursor is None:
        return situation.machine
    effects.append({"do": "moved", "code": _code(situation), "cursor": cursor})
    return replace(situation.machine, cursor=cursor, sequence=None, error=None)


def _back_off(situation: _Situation, effects: list[Effect], _: str) -> Machine:
    machine, given, options = situation.machine, situation.input, situation.options
    asked = (given.get("message") or {}).get("reconnect_in_ms")
    asked = asked if isinstance(asked, (int, float)) and not isinstance(asked, bool) else 0
    floor = max(asked, given.get("retry_after_ms", 0), _verdict(situation).get("wait_ms", 0))
    spread = min(options.max_ms, options.first_ms * 2 ** min(machine.attempts, 30))
    effects.append({"do": "timer", "ms": math.floor(floor + situation.random * spread)})
    return replace(machine, caught_up=False, error=None)


def _fail(situation: _Situation, effects: list[Effect], _: str) -> Machine:
    effects.append({"do": "fail", **_failure(situation)})
    return situation.machine


def _failure(situation: _Situation) -> dict[str, Any]:
    """What the consumer is told of a fatal error. A code of our own where the server gave none."""
    given, machine = situation.input, situation.machine
    on, status, resume_cursor = given["on"], given.get("status"), _resume_cursor(situation)
    if on == "malformed":
        code, detail = "protocol_error", "The server sent a frame that is no message."
    elif on == "timeout":
        code, detail = "timed_out", "The server did not answer in time."
    elif on == "refused":
        code, detail = _text(given.get("code")) or "refused", given.get("detail", "No connection.")
    else:
        code = _code(situation) or _verdict(situation).get("code") or "connection_lost"
        message = given.get("message") or machine.error or {}
        reason = re.sub(r"^[A-Za-z0-9_]+: ", "", given.get("reason") or "")
        detail = _text(message.get("detail")) or reason
        status = given["code"] if isinstance(given.get("code"), int) else None
    return {"code": code, "detail": detail, "status": status, "resume_cursor": resume_cursor}


_ACTIONS: dict[str, _Action] = {
    "connect": _connect,
    "close": _always("close"),
    "pause": _always("pause"),
    "resume": _always("resume"),
    "finish": _always("finish"),
    "timer": _timer,
    "subscribe": _subscribe,
    "take_place": _take_place,
    "mark": _mark,
    "catch_up": _catch_up,
    "fall_behind": _fall_behind,
    "progress": _progress,
    "deliver": _deliver,
    "remember": _remember,
    "note_ticket": _note_ticket,
    "move_place": _move_place,
    "back_off": _back_off,
    "fail": _fail,
}

_ROWS = _rows()
