"""The traces of clients/traces: every step of the Python machine is the one that the file has."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from almanac_client._frames import read_frame
from almanac_client._machine import Machine, MachineOptions, step

FOLDER = Path(__file__).parents[2] / "traces"
FILES = sorted(FOLDER.glob("*.json"))


def input_of(given: dict[str, Any]) -> dict[str, Any]:
    return read_frame(given["frame"]) if "frame" in given else given


def written(effects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in effect.items() if name != "message"} for effect in effects]


def test_there_are_300() -> None:
    assert len(FILES) == 300


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_trace(file: Path) -> None:
    trace = json.loads(file.read_text(encoding="utf-8"))
    options = MachineOptions(**trace["options"])
    machine = Machine(options.cursor)
    for number, expected in enumerate(trace["steps"], start=1):
        machine, effects = step(machine, input_of(expected["input"]), options, trace["random"])
        seen = {"state": machine.state, "effects": written(effects)}
        assert seen == {"state": expected["state"], "effects": expected["effects"]}, f"step {number}"
    assert asdict(machine) == trace["end"]
