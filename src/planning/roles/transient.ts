// Trouble that goes away by itself: a host that is overloaded, a network that fails, a process that died. Such a call is
// made again before a person is asked.

import type { RoleReply } from "./server.js";

const PASSING =
  /\b(429|500|502|503|504|529)\b|\b(overloaded|rate.?limit\w*|too many requests|service unavailable|fetch failed|network error|socket hang up|ECONN\w+|ETIMEDOUT|EAI_AGAIN|EPIPE|ENETUNREACH|ENETDOWN|EHOSTUNREACH)\b/i;

export const isTransient = ({ ending, message = "" }: Pick<RoleReply, "ending" | "message">): boolean =>
  ending === "crashed" || ((ending === "refused" || ending === "unavailable") && PASSING.test(message));

/** How long to wait before each further try: a second, four, sixteen. */
export const retryDelays = (retries: number): number[] =>
  Array.from({ length: retries }, (_, at) => 1_000 * 4 ** Math.min(at, 4));
