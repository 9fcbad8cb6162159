# Made by clients/generate/main.ts. Do not edit.

from __future__ import annotations

import json
from typing import Any

# clients/stream-transitions.json
TABLE: dict[str, Any] = json.loads(
    r"""
{
 "states": {
  "idle": "Nothing has been asked for yet.",
  "connecting": "A ticket is fetched if one is needed, the socket is opened, and `ready` is awaited.",
  "subscribing": "The subscribe message is sent, and `subscribed` is awaited.",
  "streaming": "Messages arrive and are put into the buffer.",
  "paused": "The buffer is full: the socket is open and is not read.",
  "parked": "The buffer is full and the connection is closed. It is opened again once the consumer has made room.",
  "ending": "An error with an unknown code arrived. The close code, which says of what kind it is, is awaited.",
  "waiting": "The connection is lost. The next attempt follows after a pause.",
  "closed": "The consumer has ended the stream.",
  "failed": "An error that another attempt cannot mend has ended the stream."
 },
 "final": [
  "closed",
  "failed"
 ],
 "timers": {
  "connect": 15000,
  "ready": 15000,
  "subscribed": 15000,
  "silence": 75000,
  "stall": 3000,
  "ending": 2000
 },
 "backoff": {
  "first_ms": 1000,
  "max_ms": 30000
 },
 "transitions": [
  {
   "in": [
    "idle"
   ],
   "on": "start",
   "to": "connecting",
   "do": [
    "connect",
    "timer:connect"
   ]
  },
  {
   "in": [
    "connecting"
   ],
   "on": "opened",
   "to": "connecting",
   "do": [
    "timer:ready"
   ]
  },
  {
   "in": [
    "connecting"
   ],
   "on": "ready",
   "to": "subscribing",
   "do": [
    "subscribe",
    "timer:subscribed"
   ]
  },
  {
   "in": [
    "connecting"
   ],
   "on": "refused",
   "if": "is_fatal_refusal",
   "to": "failed",
   "do": [
    "close",
    "fail"
   ]
  },
  {
   "in": [
    "connecting"
   ],
   "on": "refused",
   "if": "gives_up",
   "to": "failed",
   "do": [
    "close",
    "fail"
   ]
  },
  {
   "in": [
    "connecting"
   ],
   "on": "refused",
   "to": "waiting",
   "do": [
    "close",
    "back_off"
   ]
  },
  {
   "in": [
    "subscribing"
   ],
   "on": "subscribed",
   "to": "streaming",
   "do": [
    "take_place",
    "timer:silence"
   ]
  },
  {
   "in": [
    "streaming"
   ],
   "on": "data",
   "if": "is_repeated",
   "to": "streaming",
   "do": [
    "timer:silence"
   ]
  },
  {
   "in": [
    "streaming"
   ],
   "on": "data",
   "to": "streaming",
   "do": [
    "deliver",
    "progress",
    "timer:silence"
   ]
  },
  {
   "in": [
    "streaming"
   ],
   "on": "checkpoint",
   "to": "streaming",
   "do": [
    "mark",
    "progress",
    "timer:silence"
   ]
  },
  {
   "in": [
    "streaming"
   ],
   "on": "heartbeat",
   "to": "streaming",
   "do": [
    "mark",
    "progress",
    "timer:silence"
   ]
  },
  {
   "in": [
    "streaming"
   ],
   "on": "caught_up",
   "to": "streaming",
   "do": [
    "catch_up",
    "progress",
    "timer:silence"
   ]
  },
  {
   "in": [
    "streaming"
   ],
   "on": "falling_behind",
   "to": "streaming",
   "do": [
    "fall_behind",
    "timer:silence"
   ]
  },
  {
   "in": [
    "streaming"
   ],
   "on": "other",
   "to": "streaming",
   "do": [
    "timer:silence"
   ]
  },
  {
   "in": [
    "streaming"
   ],
   "on": "full",
   "if": "can_pause",
   "to": "paused",
   "do": [
    "pause",
    "timer:stall"
   ]
  },
  {
   "in": [
    "streaming"
   ],
   "on": "full",
   "to": "parked",
   "do": [
    "close"
   ]
  },
  {
   "in": [
    "paused"
   ],
   "on": "data",
   "if": "is_repeated",
   "to": "paused",
   "do": []
  },
  {
   "in": [
    "paused"
   ],
   "on": "data",
   "to": "paused",
   "do": [
    "deliver",
    "progress"
   ]
  },
  {
   "in": [
    "paused"
   ],
   "on": "checkpoint",
   "to": "paused",
   "do": [
    "mark",
    "progress"
   ]
  },
  {
   "in": [
    "paused"
   ],
   "on": "heartbeat",
   "to": "paused",
   "do": [
    "mark",
    "progress"
   ]
  },
  {
   "in": [
    "paused"
   ],
   "on": "caught_up",
   "to": "paused",
   "do": [
    "catch_up",
    "progress"
   ]
  },
  {
   "in": [
    "paused"
   ],
   "on": "falling_behind",
   "to": "paused",
   "do": [
    "fall_behind"
   ]
  },
  {
   "in": [
    "paused"
   ],
   "on": "low",
   "to": "streaming",
   "do": [
    "resume",
    "timer:silence"
   ]
  },
  {
   "in": [
    "paused"
   ],
   "on": "timeout",
   "to": "parked",
   "do": [
    "close"
   ]
  },
  {
   "in": [
    "parked"
   ],
   "on": "low",
   "to": "connecting",
   "do": [
    "connect",
    "timer:connect"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming"
   ],
   "on": "going_away",
   "to": "waiting",
   "do": [
    "close",
    "back_off"
   ]
  },
  {
   "in": [
    "paused"
   ],
   "on": "going_away",
   "to": "parked",
   "do": [
    "close"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming",
    "paused"
   ],
   "on": "malformed",
   "to": "failed",
   "do": [
    "close",
    "fail"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming",
    "paused"
   ],
   "on": "error",
   "if": "is_unknown",
   "to": "ending",
   "do": [
    "remember",
    "timer:ending"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming",
    "paused",
    "ending"
   ],
   "on": [
    "error",
    "closed"
   ],
   "if": "may_resume_elsewhere",
   "to": "waiting",
   "do": [
    "close",
    "move_place",
    "back_off"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming",
    "paused",
    "ending"
   ],
   "on": [
    "error",
    "closed"
   ],
   "if": "is_spent_ticket",
   "to": "waiting",
   "do": [
    "close",
    "note_ticket",
    "back_off"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming",
    "paused",
    "ending"
   ],
   "on": [
    "error",
    "closed"
   ],
   "if": "is_fatal",
   "to": "failed",
   "do": [
    "close",
    "fail"
   ]
  },
  {
   "in": [
    "paused"
   ],
   "on": [
    "error",
    "closed"
   ],
   "to": "parked",
   "do": [
    "close"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming",
    "ending"
   ],
   "on": [
    "error",
    "closed"
   ],
   "if": "gives_up",
   "to": "failed",
   "do": [
    "close",
    "fail"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming",
    "ending"
   ],
   "on": [
    "error",
    "closed"
   ],
   "to": "waiting",
   "do": [
    "close",
    "back_off"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming",
    "ending"
   ],
   "on": "timeout",
   "if": "gives_up",
   "to": "failed",
   "do": [
    "close",
    "fail"
   ]
  },
  {
   "in": [
    "connecting",
    "subscribing",
    "streaming",
    "ending"
   ],
   "on": "timeout",
   "to": "waiting",
   "do": [
    "close",
    "back_off"
   ]
  },
  {
   "in": [
    "waiting"
   ],
   "on": "timeout",
   "to": "connecting",
   "do": [
    "connect",
    "timer:connect"
   ]
  },
  {
   "in": [
    "idle",
    "connecting",
    "subscribing",
    "streaming",
    "paused",
    "parked",
    "ending",
    "waiting"
   ],
   "on": "stop",
   "to": "closed",
   "do": [
    "close",
    "finish"
   ]
  }
 ],
 "errors": {
  "unauthorized": {
   "verdict": "fail"
  },
  "revoked": {
   "verdict": "retry"
  },
  "plan_upgrade_required": {
   "verdict": "fail"
  },
  "stream_limit": {
   "verdict": "retry"
  },
  "quota_unavailable": {
   "verdict": "retry",
   "wait_ms": 60000
  },
  "command_limit": {
   "verdict": "retry"
  },
  "subscribe_required": {
   "verdict": "retry"
  },
  "slow_consumer": {
   "verdict": "retry"
  },
  "resubscribe_required": {
   "verdict": "fail"
  },
  "invalid_command": {
   "verdict": "fail"
  },
  "invalid_frame": {
   "verdict": "fail"
  },
  "commodity_not_supported": {
   "verdict": "fail"
  },
  "currency_not_supported": {
   "verdict": "fail"
  },
  "filter_not_supported": {
   "verdict": "fail"
  },
  "cursor_invalid": {
   "verdict": "fail",
   "place": "lost"
  },
  "cursor_ahead": {
   "verdict": "fail",
   "place": "lost"
  },
  "cursor_foreign": {
   "verdict": "fail",
   "place": "lost"
  },
  "cursor_superseded": {
   "verdict": "fail",
   "place": "lost"
  },
  "cursor_expired": {
   "verdict": "fail",
   "place": "lost"
  },
  "unavailable": {
   "verdict": "retry"
  }
 },
 "closes": {
  "1009": {
   "verdict": "fail",
   "code": "invalid_frame"
  },
  "4400": {
   "verdict": "fail"
  },
  "4401": {
   "verdict": "fail"
  },
  "4403": {
   "verdict": "fail"
  },
  "4404": {
   "verdict": "fail"
  },
  "4410": {
   "verdict": "fail"
  }
 },
 "refusals": [
  301,
  302,
  303,
  307,
  308,
  400,
  401,
  403,
  404,
  405,
  410,
  426
 ]
}
"""
)
