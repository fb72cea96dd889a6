import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FEATURE, finished, never } from "../../../test/finished-feature.js";
import { addAll, must } from "../../../test/plan.js";
import { fileTask, handingIn } from "../../../test/shop.js";
import { DEFAULT_GIT_SETTINGS } from "../../machine/git/git-settings.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import { approve } from "../../plan/node/approve.js";
import { complete } from "../../verbs/task/hand-in.js";
import { next } from "../../verbs/task/next.js";
import { openHandWork } from "../hand-work/end-hand-work.js";

/** The second task is done only where main has `api.txt`, which comes to main after the first was accepted. */
const needsApi = fileTask("two", { checks: [{ run: "test -f two.txt && test -f api.txt" }] });

async function withNewMain(files: Readonly<Record<string, string>>, options = {}, first = fileTask("one")) {
  const shop = await finished([first], options);
  shop.repository.commit(files);
  await addAll(shop.plan, [needsApi]);
  must(await approve(shop.plan, { references: ["T-two"] }));
  const parents = (): string[] => shop.git("log", "--format=%P", FEATURE).split("\n");
  const open = () => shop.plan.store.read((reader) => reader.items("question", { state: "open" }));
  const status = async () => (await shop.plan.view("T-two")).status;
  return { shop, parents, open, status };
}

it("a task that needs something newer on main is not rejected again and again", async () => {
  const { shop, status, open } = await withNewMain({ "api.txt": "api\n" });
  await shop.workThrough();
  expect([await status(), await open()]).toEqual(["done", []]);
  expect(shop.git("merge-base", "--is-ancestor", "main", FEATURE)).toBe("");
});

it("work by hand begins with what is new on main", async () => {
  const { shop } = await withNewMain({ "api.txt": "api\n" });
  const hands = openHandWork(shop.services, shop.plan);
  const { worktree } = must(await hands.begin({ reference: "T-two" }, never));
  writeFileSync(join(worktree, "two.txt"), "two\n");
  expect(must(await hands.finish({ reference: "T-two" }, never)).state).toBe("accepted");
});

it("work in your own checkout is judged together with what is new on main", async () => {
  const { shop, status } = await withNewMain({ "api.txt": "api\n" });
  const [claim] = must(await next(shop.plan, {}));
  writeFileSync(join(shop.plan.root, "two.txt"), "two\n");
  const session = handingIn({ ...shop.services, context: shop.plan });
  expect(must(await complete(session, { reference: "T-two", token: claim?.token ?? "" })).acceptance).toBe("accepted");
  expect(await status()).toBe("done");
});

it("main never breaks what is done in a feature: the branch stays, and you are asked once", async () => {
  const first = fileTask("one", { checks: [{ run: "test -f one.txt && ! test -f trap.txt" }] });
  const { shop, open, parents } = await withNewMain({ "api.txt": "api\n", "trap.txt": "x\n" }, {}, first);
  const before = shop.git("rev-parse", FEATURE);
  await shop.workThrough();
  expect(shop.git("rev-list", "--merges", FEATURE)).toBe("");
  expect(parents()).toContain(shop.git("rev-parse", `${before}^`));
  const [asked, ...others] = (await open()).filter(({ fields }) => fields.kind === "land");
  expect(others).toEqual([]);
  expect(asked?.fields).toMatchObject({ owner: "FEAT-A-LAND", recommended: MERGE_MAIN });
  expect(asked?.fields.context).toContain("`test -f one.txt && ! test -f trap.txt` failed");
});

it("a conflict with main is asked about when the next task begins, not first at the landing", async () => {
  const { shop, open } = await withNewMain({ "one.txt": "main\n", "api.txt": "api\n" });
  await shop.workThrough();
  const asked = (await open()).find(({ fields }) => fields.kind === "land");
  expect(asked?.fields.context).toContain("change the same lines: one.txt");
  expect(shop.events).toContainEqual({
    type: "notice",
    text: expect.stringContaining("T-two begins without what is new on main") as string,
  });
});

it("a feature never follows main if the settings say so", async () => {
  const { shop, status } = await withNewMain({ "api.txt": "api\n" });
  const context = {
    ...shop.services.context,
    gitSettings: async () => ({ ...DEFAULT_GIT_SETTINGS, follow: "never" as const }),
  };
  Object.assign(shop.services, { context });
  await shop.workThrough();
  expect(await status()).not.toBe("done");
  expect(shop.git("rev-list", "--merges", FEATURE)).toBe("");
});
