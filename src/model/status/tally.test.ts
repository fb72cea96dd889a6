import { expect, it } from "vitest";
import { count, emptyTally, STATUSES } from "./status.js";

it("counts each status once, and what waits for a person apart", () => {
  const tally = emptyTally();
  for (const status of STATUSES) count(tally, { status, reason: "claimable" }, 2);
  count(tally, { status: "ready", reason: "human" }, 3);
  expect(tally).toEqual({
    ready: 2,
    inProgress: 2,
    blocked: 2,
    waitingForPerson: 3,
    rejected: 2,
    frozen: 2,
    planned: 2,
    finished: 4,
  });
});
