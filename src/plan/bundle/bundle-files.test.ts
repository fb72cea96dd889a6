import { describe, expect, it } from "vitest";
import { write } from "../../../test/git-repository.js";
import { must } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import { checkBundle } from "../../verbs/bundle/check.js";
import { createBundles } from "./bundle.js";

describe("a bundle of a task that builds on others", () => {
  it("reads the feature's tip: work that has not landed is neither missing nor drifted", async () => {
    const shop = await openShop([
      fileTask("one", {
        files: ["src/one.txt"],
        body: "```sh run\nmkdir -p src && echo one > src/one.txt\n```",
        checks: [{ run: "true" }],
      }),
      fileTask("two", { files: ["src/one.txt", "src", "new.txt"], dependsOn: ["T-one"], kind: "work", checks: [] }),
    ]);
    await shop.workThrough(shop.engine({ within: "T-one", workers: 1 }));
    const [packed] = must(await createBundles(shop.plan, { references: ["T-two"] })).bundles;
    expect(packed?.text).toContain("src/one.txt");
    const found = must(await checkBundle(shop.plan, "T-two"));
    expect(found).toMatchObject({ state: "whole" });
    // What stands in the main checkout says nothing about it.
    write(shop.repository.path, { "src/one.txt": "something else\n" });
    expect(must(await checkBundle(shop.plan, "T-two")).state).toBe("whole");
  });
});
