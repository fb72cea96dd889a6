import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";

describe("what checks left", () => {
  it("is not taken for the worker's, on the merged tree or where a task only looks", async () => {
    let resolve = (): void => undefined;
    const merged = new Promise<void>((done) => {
      resolve = done;
    });
    const left = "mkdir -p coverage; date > coverage/report";
    const checks = [{ run: `${left}; test ! -f one.txt || grep two two.txt` }];
    const looks = fileTask("look", { kind: "review", checks: [{ run: left }], files: [], dependsOn: ["T-two"] });
    const shop = await openShop([fileTask("one"), fileTask("two", { checks }), looks], {
      doing: async ({ cwd, task }, { failure }) => {
        const name = task.id.slice(2);
        if (name === "two" && failure === null) await merged;
        if (name === "look" && failure !== null) writeFileSync(join(cwd, "README.md"), "hello\n");
        else if (name === "look") writeFileSync(join(cwd, "README.md"), "changed\n");
        else writeFileSync(join(cwd, `${name}.txt`), failure === null ? "one\n" : "two\n");
        return {};
      },
    });
    const engine = shop.engine();
    must(await engine.tick());
    await engine.oneEnded();
    resolve();
    await shop.workThrough(engine);
    const attempts = await shop.attempts();
    expect(attempts.map(({ taskId, state }) => `${taskId} ${state}`)).toEqual([
      "T-one accepted",
      "T-two accepted",
      "T-look accepted",
    ]);
    expect(attempts.map(({ rounds }) => rounds)).toEqual([0, 1, 1]);
    expect(shop.git("diff", "--name-only", "main", "planwright/feature/FEAT-A").split("\n")).toEqual([
      "one.txt",
      "two.txt",
    ]);
  });
});
