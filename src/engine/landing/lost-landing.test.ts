import { expect, it } from "vitest";
import { finished, isClean, LAND } from "../../../test/finished-feature.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask } from "../../../test/shop.js";
import { waiting } from "../../plan/overview/waiting.js";
import { undo } from "../../verbs/history/take-back.js";
import { status } from "../../verbs/look/read-status.js";
import { why } from "../../verbs/look/why-node.js";

const LOST = /^FEAT-A landed as [0-9a-f]{10}, and main no longer holds that commit\. Put it back into main, or undo/;

it("a landing that main no longer holds never passes for landed, and what is offered lands it again", async () => {
  const shop = await finished([fileTask("one")]);
  const before = shop.git("rev-parse", "main");
  await shop.landed();
  const lostIn = async (): Promise<unknown> =>
    must(await waiting(shop.plan)).entries.filter(({ kind }) => kind === "lost");
  expect(await lostIn()).toEqual([]);
  shop.git("reset", "-q", "--hard", before);
  expect(await lostIn()).toMatchObject([{ id: LAND, about: "FEAT-A", sentence: expect.stringMatching(LOST) }]);
  const { waiting: listed } = must(await status(shop.plan, {}));
  expect(JSON.stringify(listed)).toContain("main no longer holds");
  for (const id of [LAND, "FEAT-A"]) {
    const explained = must(await why(shop.plan, id));
    expect(explained.chain[0]?.sentences.at(-1)).toMatch(LOST);
    expect(explained.next).toContainEqual(expect.objectContaining({ operation: "undo", input: { operation: LAND } }));
  }
  expect(await shop.refused()).toMatchObject({ reason: "landing-lost", message: expect.stringMatching(LOST) });
  expect(must(await undo(shop.plan, LAND))).toMatchObject({ stillLanded: null, landsAgain: "FEAT-A" });
  expect(await shop.landed()).toMatchObject({ outcome: "landed" });
  expect([shop.git("show", "main:one.txt"), await lostIn()]).toEqual(["one", []]);
  isClean(shop);
});

it("a landing whose change is on main as another commit never counts as lost", async () => {
  const shop = await finished([fileTask("one")]);
  const before = shop.git("rev-parse", "main");
  await shop.landed();
  shop.git("reset", "-q", "--hard", before);
  shop.repository.commit({ "one.txt": "one\n" });
  expect(must(await waiting(shop.plan)).entries).toEqual([]);
  expect(mustFail(await undo(shop.plan, "NOPE")).reason).toBe("not-found");
  expect(must(await undo(shop.plan, LAND))).toMatchObject({ stillLanded: "FEAT-A", landsAgain: null });
});
