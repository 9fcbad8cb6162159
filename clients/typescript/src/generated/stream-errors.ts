// Made by clients/generate/main.ts. Do not edit.

/** Meaning of each error of a stream, and what to do. */
export const streamErrorMeanings: Readonly<Record<string, string>> = {
  unauthorized: "Missing or invalid API key or ticket. Connect with a valid key, or with a fresh ticket.",
  revoked: "Key revoked or connection lease lost. Connect again: a lost lease is replaced by a new one, and a key that is no longer valid gets `unauthorized`.",
  plan_upgrade_required: "Plan does not include this. Use a key of a plan that includes the stream.",
  stream_limit: "Too many streams open. Close another stream of this key, or use a larger plan. The streams of a crashed server are freed within 15 s; then connect again.",
  quota_unavailable: "Monthly quota used up, or it cannot be checked. See /v1/usage. Wait for the next month (UTC), use a larger plan, or connect again after some minutes. Each connection also counts as a call of the minute.",
  command_limit: "Too many frames. Send at most 30 frames on a connection; connect again.",
  subscribe_required: "No subscribe message in time. Send the subscribe message within 5 s of `ready`.",
  slow_consumer: "Client stopped reading. Connect again. Read in a task of its own, without a pause of 5 s, and answer WebSocket pings, as libraries do.",
  resubscribe_required: "Already subscribed. To change a subscription, connect again.",
  invalid_command: "Unknown action. Send `subscribe` or `ping`.",
  invalid_frame: "Invalid frame. Send one JSON object in each text frame, within the limits; see /asyncapi.json.",
  commodity_not_supported: "Commodity is not served. Use a commodity code of /v1/catalog/instruments.",
  currency_not_supported: "Currency is not served. Use a currency code of /v1/catalog/instruments.",
  filter_not_supported: "Unknown filter value. Use values from /docs.",
  cursor_invalid: "Cursor is not valid. Go on from `resume_cursor` (earliest).",
  cursor_ahead: "Cursor is ahead of the journal. Go on from `resume_cursor` (latest).",
  cursor_foreign: "Cursor of another journal. Go on from `resume_cursor` (earliest).",
  cursor_superseded: "Cursor of a history that was replaced. Go on from `resume_cursor` (where the journal was restored), and decide about the events that you have from there on.",
  cursor_expired: "Cursor has expired. Go on from `resume_cursor` (earliest).",
  unavailable: "Temporarily unavailable. Connect again later, with a growing, random delay.",
}
