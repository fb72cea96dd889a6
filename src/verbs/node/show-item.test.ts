import { expect, it } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { makePlan, must, mustFail, task } from "../../../test/plan.js";
import type { Conflict } from "../../model/conflict/conflict.js";
import { createItem } from "../../model/item/item.js";
import { ok } from "../../model/result.js";
import { act } from "../../plan/base/context.js";
import { showItem } from "./show-item.js";

it("shows attempts and conflicts by their keys, however they are typed", async () => {
  const plan = await makePlan([task("T-1"), task("T-2")]);
  await leaveAttempt(plan, "T-1");
  must(
    await act(plan, "attempt", async (writer, at) => {
      const [first, second] = [await writer.byId("T-1"), await writer.byId("T-2")];
      const conflict: Conflict = {
        layer: "files",
        state: "open",
        first: first?.nr ?? 0,
        second: second?.nr ?? 0,
        files: ["a.ts"],
        symbols: [],
        arbitration: "serialise",
        resolution: null,
        detectedAt: at,
        detectedBy: "daemon:box",
        settledAt: null,
        settledBy: null,
        steps: [],
      };
      return ok({ sentence: "met", changes: [createItem("conflict", "CONFLICT-00001", conflict)], value: null });
    }),
  );
  expect(must(await showItem(plan, "att-1"))).toMatchObject({ entity: "attempt", item: { task: "T-1" } });
  expect(must(await showItem(plan, "conflict-1"))).toMatchObject({
    entity: "conflict",
    item: { id: "CONFLICT-00001", first: "T-1", second: "T-2", files: ["a.ts"] },
  });
  expect(mustFail(await showItem(plan, "CONFLICT-00002")).kind).toBe("absent");
});
