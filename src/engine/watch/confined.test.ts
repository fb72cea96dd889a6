// What checks prove and what workers reach, through whole attempts of the engine.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { gitIn, write } from "../../../test/git-repository.js";
import { needsSandbox, SANDBOX_MODES } from "../../../test/needs-sandbox.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop, type Shop, type ShopOptions } from "../../../test/shop.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { landFeature } from "../landing/land.js";

/** Complains, as a compiler does, about every file that is broken; leaves something behind, as compilers do. */
const LINT = `for f in *.txt; do grep -q broken "$f" && echo "./$f:1:1: error: broken" && touch .found; done; ! test -e .found`;

const lastOf = async (shop: Shop): Promise<string> => {
  const { state, checks } = (await shop.attempts()).at(-1) ?? {};
  return [state, ...(checks ?? []).map(({ passed, outcome }) => `${passed ? "passed" : "failed"}: ${outcome}`)].join(
    "; ",
  );
};

describe("a failure that was there before", () => {
  const files = { "old.txt": "broken\n" };
  const checks = [{ run: LINT }, { run: "test -f one.txt" }];
  const shopWith = (body: string, options: ShopOptions = {}): Promise<Shop> =>
    openShop([fileTask("one", { checks, body: `\`\`\`sh run\n${body}\n\`\`\`` })], { files, ...options });

  describe.each(SANDBOX_MODES)("with the sandbox %s", (sandbox, needed) => {
    it("rejects the work like any other", needed, async () => {
      const shop = await shopWith("echo fine > one.txt", { policy: { sandbox, proof: "note" } });
      await shop.workThrough();
      expect(await lastOf(shop)).toBe("rejected; failed: exit 1, expected exit 0; passed: exit 0");
    });

    it("leaves no worktree of the base behind", needed, async () => {
      const shop = await openShop([fileTask("one")], { policy: { sandbox, proof: "note" } });
      await shop.workThrough();
      expect(await lastOf(shop)).toBe("accepted; passed: exit 0");
      expect((await shop.attempts())[0]?.checks[0]?.before).toMatchObject({ on: "base", passed: false });
      expect(existsSync(join(shop.services.policy.worktrees, "slot-1-base"))).toBe(false);
      expect(
        shop
          .git("worktree", "list")
          .split("\n")
          .filter((line) => line.includes("-base")),
      ).toEqual([]);
    });
  });

  it("does not excuse one that came with the work", async () => {
    const shop = await shopWith("echo broken > one.txt");
    await shop.workThrough();
    expect(await lastOf(shop)).toBe("rejected; failed: exit 1, expected exit 0; passed: exit 0");
  });

  it("does not excuse work that makes it worse elsewhere", async () => {
    const shop = await shopWith("echo fine > one.txt; echo broken > two.txt");
    await shop.workThrough();
    expect(await lastOf(shop)).toBe("rejected; failed: exit 1, expected exit 0; passed: exit 0");
  });

  it("does not excuse a task that was to fix it", async () => {
    const task = fileTask("one", { checks: [{ run: LINT }], files: ["one.txt", "old.txt"] });
    const shop = await openShop([task], { files });
    await shop.workThrough();
    expect(await lastOf(shop)).toBe("rejected; failed: exit 1, expected exit 0");
  });
});

describe("a secret that a check prints", () => {
  const canary = "canary-77aa";
  const redact = (text: string): string => text.replaceAll(canary, "[redacted]");

  it("is neither kept nor told to the worker", async () => {
    const told: string[] = [];
    const shop = await openShop([fileTask("one", { checks: [{ run: "cat secret; false" }] })], {
      files: { secret: canary },
      doing: ({ cwd }, { prompt }) => {
        told.push(prompt);
        writeFileSync(join(cwd, "one.txt"), "one");
        return {};
      },
    });
    Object.assign(shop.services, { redact });
    await shop.workThrough();
    expect(told[1]).toContain("[redacted]");
    expect(told.join("") + JSON.stringify(await shop.attempts())).not.toContain(canary);
  });

  it("is not kept by a landing either", async () => {
    const run = "cat secret; ! test -f landing";
    const shop = await openShop([fileTask("one", { checks: [{ run }] })], { files: { secret: canary } });
    Object.assign(shop.services, { redact });
    await shop.workThrough();
    shop.repository.commit({ landing: "" });
    const refused = mustFail(await landFeature({ ...shop.services, context: shop.plan }, "FEAT-A"));
    expect(JSON.stringify(refused)).toContain("[redacted]");
    expect(JSON.stringify([refused, await shop.attempts()])).not.toContain(canary);
  });
});

describe("a worker", () => {
  it("sees no token of ours, and neither do its checks", async () => {
    const canary = "canary-77aa";
    process.env["PLANWRIGHT_TEST_TOKEN"] = canary;
    onTestFinished(() => void delete process.env["PLANWRIGHT_TEST_TOKEN"]);
    const body = "```sh run\nenv > one.txt\n```";
    const shop = await openShop([fileTask("one", { body, checks: [{ run: "env >> one.txt; cat one.txt; false" }] })]);
    await shop.workThrough();
    const [attempt] = await shop.attempts();
    const { checks, transcript } = attempt as Attempt;
    expect(checks[0]?.output.match(/PLANWRIGHT_TASK=T-one/g)).toHaveLength(2);
    expect(JSON.stringify(checks) + readFileSync(transcript ?? "", "utf8")).not.toContain(canary);
  });

  it("in a sandbox does its work and reaches nothing else", needsSandbox, async () => {
    const script = [
      "echo one > one.txt",
      "echo x > ../../repo/.git/hooks/post-commit",
      "git update-ref refs/heads/main HEAD~0 || true",
      "git branch mine",
      'echo x > "$PLANWRIGHT_WORKSPACE/.planwright/x"',
      "true",
    ].join("\n");
    const shop = await openShop([fileTask("one", { body: `\`\`\`sh run\n${script}\n\`\`\`` })], {
      policy: { sandbox: "require" },
    });
    await shop.workThrough();
    expect(await lastOf(shop)).toBe("accepted; passed: exit 0");
    const root = shop.repository.path;
    expect(existsSync(join(root, ".git/hooks/post-commit"))).toBe(false);
    expect(existsSync(join(root, ".planwright/x"))).toBe(false);
    expect(shop.git("branch", "--list", "mine")).toBe("");
  });

  it("in a sandbox reaches nothing through a set-up command either", needsSandbox, async () => {
    const shop = await openShop([fileTask("one")], {
      files: {
        "set-up.sh": "touch made.log; (echo x > ../../repo/.git/hooks/post-commit) || true\n",
        ".gitignore": ".planwright\n*.log\n",
      },
      policy: { sandbox: "require", setup: ["sh set-up.sh"] },
    });
    await shop.workThrough();
    expect(await lastOf(shop)).toBe("accepted; passed: exit 0");
    expect(existsSync(join(shop.services.policy.worktrees, "slot-1/made.log"))).toBe(true);
    expect(existsSync(join(shop.repository.path, ".git/hooks/post-commit"))).toBe(false);
  });

  it("in a sandbox has checks that write where it is linked to, also in a landing", needsSandbox, async () => {
    const policy = { sandbox: "require", carry: ["cache"], carryBy: "link" } as const;
    const shop = await openShop([fileTask("one", { checks: [{ run: "echo x >> cache/tool/x" }] })], {
      files: { ".gitignore": ".planwright\ncache/\n" },
      policy,
    });
    write(shop.repository.path, { "cache/tool/x": "" });
    await shop.workThrough();
    expect(await lastOf(shop)).toBe("accepted; passed: exit 0");
    must(await landFeature({ ...shop.services, context: shop.plan }, "FEAT-A"));
    expect(readFileSync(join(shop.repository.path, "cache/tool/x"), "utf8")).toBe("x\nx\n");
  });

  it.each([
    ["done", "rejected", "auto"],
    ["crashed", "failed", "auto"],
    ["done", "rejected", "off"],
  ] as const)(
    "without a sandbox is stopped for what it did outside, and not tried again (%s, %s, %s)",
    async (ending, state, sandbox) => {
      const shop = await openShop([fileTask("one")], {
        policy: { sandbox },
        doing: ({ cwd }) => {
          writeFileSync(join(cwd, "one.txt"), "one");
          gitIn(cwd, "commit", "-q", "--allow-empty", "-m", "mine");
          gitIn(cwd, "branch", "-f", "theirs");
          appendFileSync(join(shop.repository.path, ".git/config"), "[alias]\n\tst = !id\n");
          return { ending };
        },
      });
      Object.assign(shop.services, { env: { PATH: "/nowhere" } });
      shop.git("branch", "theirs");
      await shop.workThrough();
      const [attempt, ...more] = await shop.attempts();
      expect([attempt?.state, more]).toEqual([state, []]);
      expect(attempt?.failure).toMatchObject({ class: "architecture", action: "freeze" });
      expect(attempt?.failure?.reason).toMatch(
        /moved refs\/heads\/theirs to \w+\. It is back at \w{12}\. The worker changed \.git\/config\.$/,
      );
      expect((await shop.plan.view("T-one")).freeze?.reason).toBe(attempt?.failure?.reason);
      expect(must(await listQuestions(shop.plan, {}))).toMatchObject([{ blocks: ["T-one"] }]);
    },
  );

  it("without a sandbox works beside others that put their work onto the same branch", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two"), fileTask("three")], {
      policy: { sandbox: "auto" },
      doing: ({ cwd, task }) => {
        writeFileSync(join(cwd, `${task.id.slice(2)}.txt`), "");
        return {};
      },
    });
    Object.assign(shop.services, { env: { PATH: "/nowhere" } });
    await shop.workThrough(shop.engine({ workers: 3 }));
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted", "accepted", "accepted"]);
  });
});
