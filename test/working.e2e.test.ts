// Attempts by an agent that is a real child process and does what a script says: what it is told, what it may do, and how
// each way of ending is written down.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { allGone } from "./agents/contract.js";
import { needsSandbox } from "./needs-sandbox.js";
import {
  DONE,
  GREETING,
  REVIEWER,
  reviewer,
  type ScriptedWorking,
  scriptedWorking,
  shell,
  told,
  UNTOUCHED,
  worker,
  write,
} from "./working.js";

const GOOD = [write("greeting.txt", "hello"), DONE];

/** How the only attempt ended. */
async function ended(place: ScriptedWorking, args: readonly string[] = ["TASK-00001"]) {
  const ran = await place.run(args);
  await expect(allGone(place.home)).resolves.toBe(true);
  const { state, failure, note } = await place.attempt();
  return { code: ran.code, state, class: failure?.class ?? null, action: failure?.action ?? null, note };
}

/** A run that gets a Ctrl-C once something has happened. */
const interrupted = (place: ScriptedWorking, once: () => boolean) =>
  place.run([], {
    onStart: (child) => void vi.waitUntil(once, { timeout: 100_000 }).then(() => child.kill("SIGINT")),
  });

describe("work that is done", () => {
  it("is told what its checks found, fixes it in the same conversation, and is accepted", async () => {
    const place = scriptedWorking([
      worker(write("greeting.txt", "helo"), { cost: 0.5 }, DONE),
      told(write("greeting.txt", "hello"), { cost: 0.75 }, DONE),
    ]);
    expect(await place.run()).toMatchObject({ code: 0, data: { ended: [{ state: "accepted" }], stopped: false } });
    const [[first, second, ...more] = [], ...others] = place.conversations();
    expect([more, others]).toEqual([[], []]);
    expect(first).toContain("# TASK-00001: Write the greeting");
    expect(second).toContain('The check `test "$(cat greeting.txt)" = hello` failed: exit 1, expected exit 0.');
    expect(place.onBranch("greeting.txt")).toBe("hello");
    expect(place.commit("%an <%ae>, %s")).toBe("Ada <ada@example.org>, TASK-00001: Write the greeting");
    expect(place.commit("%(trailers)")).toMatch(/^Planwright-Task: TASK-00001\nPlanwright-Attempt: ATT-00001\n/);
    expect(place.rig.git("rev-list", "--count", "main..planwright/feature/FEAT-A")).toBe("1");
    expect(place.untouched()).toBe(UNTOUCHED);
    const { rounds, usage } = await place.attempt();
    expect({ rounds, usage }).toEqual({ rounds: 1, usage: { inputTokens: 200, outputTokens: 20, costUsd: 0.75 } });
    await expect(allGone(place.home)).resolves.toBe(true);
  });

  it("counts without a report: the checks say what it is worth", async () => {
    const place = scriptedWorking([worker(write("greeting.txt", "hello"), { text: "I am done." })]);
    expect(await ended(place)).toMatchObject({ state: "accepted" });
  });

  it("is turned down when it was told as often as it may be", async () => {
    const bad = [write("greeting.txt", "helo"), DONE];
    const place = scriptedWorking([worker(...bad), told(...bad), worker(...bad)], { fixes: 1 });
    expect(await ended(place)).toMatchObject({ code: 1, state: "rejected", class: "logic" });
    expect(place.kept("ATT-00001", "greeting.txt")).toBe("helo");
    expect(place.rig.git("rev-list", "--count", "main..planwright/feature/FEAT-A")).toBe("0");
  });

  it("leaves nothing running, not even what it put into a group of its own", async () => {
    const place = scriptedWorking([worker({ linger: true }, ...GOOD)]);
    expect(await ended(place)).toMatchObject({ state: "accepted" });
  });
});

describe("what its commands see", () => {
  const LOOK = 'printf "%s %s %s" "$PLANWRIGHT_TASK" "$PLANWRIGHT_ATTEMPT" "${PLANWRIGHT_PORTS%-*}" > told.txt';

  it("is what the attempt is told, and no secret of ours", async () => {
    const place = scriptedWorking([worker(shell(LOOK), shell("env > seen.txt"), ...GOOD)]);
    await place.run([], { env: { DEPLOY_TOKEN: "not-for-agents-1", NODE_OPTIONS: "--no-warnings" } });
    expect(place.onBranch("told.txt")).toMatch(/^TASK-00001 ATT-00001 \d+$/);
    const seen = place.onBranch("seen.txt") ?? "";
    expect(seen).toContain(`PLANWRIGHT_WORKTREE=${place.rig.worktrees}/slot-1`);
    expect(seen).not.toMatch(/DEPLOY_TOKEN|NODE_OPTIONS|not-for-agents/);
  });

  it("is also what the configuration names, and what is said of it is not kept", async () => {
    const place = scriptedWorking(
      [worker(shell('echo "it is $DEPLOY_TOKEN"; echo "$DEPLOY_TOKEN" | wc -c > count.txt'), ...GOOD)],
      { env: ["DEPLOY_TOKEN"] },
    );
    await place.run([], { env: { DEPLOY_TOKEN: "s3cret-of-ours" } });
    expect(place.onBranch("count.txt")?.trim()).toBe("15");
    expect(place.transcripts()).toContain("it is [redacted DEPLOY_TOKEN]");
    expect(place.transcripts()).not.toContain("s3cret-of-ours");
    const file = join(place.rig.root, ".planwright/transcripts/ATT-00001.jsonl");
    expect(statSync(file).mode & 0o077).toBe(0);
  });
});

describe("a command of one's own", () => {
  const script = [
    'head -1 "$PLANWRIGHT_BUNDLE" > task.txt',
    'if [ -n "$PLANWRIGHT_FAILURE" ]; then cp "$PLANWRIGHT_FAILURE" failure.txt; printf hello; else printf helo; fi > greeting.txt',
  ].join("\n");

  it("serves a profile, finds its task, and is told what was wrong", async () => {
    const place = scriptedWorking(
      [],
      {},
      {
        tasks: [{ ...GREETING, profile: "migration" }],
        settings: {
          agents: { codemod: { shell: script } },
          profiles: { migration: { agent: "codemod" } },
          roles: { worker: { agent: "nobody" } },
        },
      },
    );
    expect(await ended(place)).toMatchObject({ state: "accepted" });
    expect((await place.attempt()).worker).toEqual({ kind: "shell", name: "codemod", model: null });
    expect(place.onBranch("task.txt")).toBe("# TASK-00001: Write the greeting");
    expect(place.onBranch("failure.txt")).toContain("failed: exit 1, expected exit 0.");
  });
});

describe("work that ends otherwise", () => {
  const hang = [write("greeting.txt", "hal"), { hang: true }] as const;

  it.each<[string, readonly unknown[], Readonly<Record<string, unknown>>, string, string, RegExp]>([
    ["falls silent", hang, { stallMinutes: 0.02 }, "transient", "retry", /silent for 0.02 minutes/],
    ["takes too long", hang, { attemptMinutes: 0.03 }, "logic", "retry-with-failure", /time was up/],
    ["crashes", [{ crash: 3 }], {}, "transient", "retry", /exit code 3/],
    ["is declined", [{ stop: "refusal" }], {}, "other", "park", /declined/],
    [
      "cannot",
      [{ submit: { outcome: "cannot", summary: "There is no greeting.", class: "plan" } }],
      {},
      "plan",
      "replan",
      /There is no greeting/,
    ],
    [
      "is against what was decided",
      [{ submit: { outcome: "cannot", summary: "We said no.", class: "architecture" } }],
      {},
      "architecture",
      "freeze",
      /We said no/,
    ],
    ["uses more than it may", GOOD, { attemptTokens: 50 }, "other", "park", /110 tokens; an attempt may use 50/],
    ["costs more than it may", [{ cost: 2 }, { hang: true }], { attemptCostUsd: 1 }, "other", "park", /cost/],
  ])("%s", async (_, steps, execution, failure, action, words) => {
    const place = scriptedWorking([worker(...steps)], execution);
    expect(await ended(place)).toEqual({
      code: 1,
      state: "failed",
      class: failure,
      action,
      note: expect.stringMatching(words),
    });
    expect(place.untouched()).toBe(UNTOUCHED);
  });

  it("keeps what was there", async () => {
    const place = scriptedWorking([worker(write("greeting.txt", "hal"), { crash: 3 })]);
    await ended(place);
    expect(place.kept("ATT-00001", "greeting.txt")).toBe("hal");
  });

  it("says why without a secret", async () => {
    const summary = "The key s3cret-of-ours is refused.";
    const place = scriptedWorking([worker({ submit: { outcome: "cannot", summary, class: "plan" } })], {
      env: ["DEPLOY_TOKEN"],
    });
    await place.run(["TASK-00001"], { env: { DEPLOY_TOKEN: "s3cret-of-ours" } });
    expect((await place.attempt()).failure?.reason).toBe("The key [redacted DEPLOY_TOKEN] is refused.");
    expect(JSON.stringify([place.rig.ok(["escalations"]), place.rig.ok(["log"])])).not.toContain("s3cret");
  });

  it("is tried again after an accident, and comes through", async () => {
    const place = scriptedWorking([worker({ crash: 1 }), worker(...GOOD)]);
    const { data } = await place.run(["--batch"]);
    expect(data.ended.map(({ state }) => state)).toEqual(["failed", "accepted"]);
  });

  it("proposes a split, which only a person's answer makes", async () => {
    const parts = [
      { title: "Say hello", files: ["hello.txt"], checks: ["test -s hello.txt"] },
      { title: "Say bye", files: ["bye.txt"], after: [0] },
    ];
    const place = scriptedWorking([worker({ submit: { outcome: "too-big", summary: "Two things.", parts } })]);
    expect(await ended(place)).toMatchObject({ state: "released", note: expect.stringContaining("split into 2") });
    expect((await place.attempt()).split).toMatchObject({
      why: "Two things.",
      parts: [{ title: "Say hello" }, { after: [0] }],
    });
    const [asked] = place.rig.ok(["escalations"]);
    expect(asked).toMatchObject({
      kind: "split",
      recommended: "split",
      context: expect.stringMatching(/Two things\.[^]*Say hello[^]*Say bye/),
    });
    expect(place.rig.ok(["show", "TASK-00001"])).toMatchObject({ status: "frozen" });
  });
});

describe("a person who stops it", () => {
  it("gets the task back, with what was done, and nothing runs on", async () => {
    const place = scriptedWorking([worker(write("greeting.txt", "hal"), { linger: true }, { hang: true })]);
    const ran = await interrupted(place, () => place.transcripts().includes('"state":"done"'));
    expect(ran).toMatchObject({ code: 130, data: { stopped: true, ended: [{ state: "released" }] } });
    await expect(allGone(place.home)).resolves.toBe(true);
    expect(place.kept("ATT-00001", "greeting.txt")).toBe("hal");
    expect(place.rig.ok(["show", "TASK-00001"])).toMatchObject({ status: "ready" });
    expect(place.untouched()).toBe(UNTOUCHED);
  });
});

describe("with no settings but an agent", () => {
  it("proof is noted, a reviewer is asked, and files outside of the footprint are a question", async () => {
    const place = scriptedWorking(
      [worker(...GOOD.slice(0, -1), write("extra.txt", "x"), DONE), reviewer({ submit: { findings: [] } })],
      {},
      { byDefault: true },
    );
    expect(await ended(place)).toMatchObject({ state: "pending" });
    const attempt = await place.attempt();
    expect(attempt).toMatchObject({ state: "pending", outside: ["extra.txt"], merged: null });
    expect(attempt.checks).toMatchObject([{ passed: true, before: { on: "base", passed: false } }]);
    expect(place.conversations().map(([first]) => first?.includes(REVIEWER))).toEqual([false, true]);
    const questions = place.rig.ok(["question", "list"]) as { kind: string; options: { id: string }[] }[];
    expect(questions.map(({ kind, options }) => [kind, options.map(({ id }) => id)])).toEqual([
      ["footprint", ["widen", "reject", "accept-once"]],
    ]);
  });
});

describe("a reviewer", () => {
  const found = (severity: string) => ({
    submit: { findings: [{ severity, file: "greeting.txt", line: 1, what: "It greets nobody." }] },
  });

  it("sends back what is serious, then lets it pass", async () => {
    const place = scriptedWorking(
      [worker(...GOOD), reviewer(found("high")), told(write("names.txt", "Ada"), DONE), reviewer(found("low"))],
      {},
      { reviewed: true },
    );
    expect(await ended(place)).toMatchObject({ state: "accepted" });
    const [work, ...reviews] = place.conversations();
    expect(work?.[1]).toContain("- high, greeting.txt:1: It greets nobody.");
    expect(reviews).toHaveLength(2);
    expect([place.onBranch("greeting.txt"), place.onBranch("names.txt")]).toEqual(["hello", "Ada"]);
    expect((await place.attempt()).usage.inputTokens).toBe(400);
  });

  it("changes nothing, even if it tries", async () => {
    const place = scriptedWorking(
      [
        worker(...GOOD),
        reviewer(write("asked.txt", "x"), write("sneaked.txt", "x", false), found("high")),
        told(write("names.txt", "Ada"), DONE),
        reviewer(found("low")),
      ],
      {},
      { reviewed: true },
    );
    expect(await ended(place)).toMatchObject({ state: "accepted" });
    expect([place.onBranch("asked.txt"), place.onBranch("sneaked.txt")]).toEqual([undefined, undefined]);
  });

  it("that does not come to an end leaves it to a person", async () => {
    const place = scriptedWorking(
      [worker(...GOOD), reviewer({ crash: 1 }), reviewer({ crash: 1 })],
      {},
      { reviewed: true },
    );
    expect(await ended(place)).toMatchObject({ state: "pending", note: expect.stringContaining("review") });
  });

  it("that is stopped does not let it pass", async () => {
    const place = scriptedWorking(
      [worker(...GOOD), reviewer({ text: "I look." }, { hang: true })],
      {},
      { reviewed: true },
    );
    const ran = await interrupted(place, () => place.transcripts().includes("# Your role: reviewer"));
    expect(ran.data).toMatchObject({ stopped: true, ended: [{ state: "released" }] });
    expect(place.kept("ATT-00001", "greeting.txt")).toBe("hello");
  });
});

describe("an agent that leaves its folder", () => {
  // In the checkout, so that the way out is known.
  const IN_CHECKOUT = { worktrees: ".planwright/worktrees" };
  const OUT = "../../..";

  it("is refused where it asks, and told of", async () => {
    const place = scriptedWorking(
      [
        worker(
          shell(`ln -s ${OUT} way`),
          write(`${OUT}/evil.txt`, "x"),
          write("way/evil.txt", "x"),
          write(".git", "gitdir: /elsewhere"),
          shell("rm way"),
          ...GOOD,
        ),
      ],
      IN_CHECKOUT,
    );
    expect(await ended(place)).toMatchObject({ state: "accepted" });
    expect(place.untouched()).toBe(UNTOUCHED);
    expect(place.transcripts().match(/"granted":false/g)).toHaveLength(3);
  });

  it("is refused when it has a file written for it", async () => {
    const place = scriptedWorking([worker({ fs: { path: `${OUT}/evil.txt`, content: "x" } }, ...GOOD)], IN_CHECKOUT);
    await place.run(["TASK-00001"]);
    expect(place.untouched()).toBe(UNTOUCHED);
    expect(place.transcripts()).toContain("is outside");
  });

  it("has a link that leads out sent back", async () => {
    const place = scriptedWorking([worker(shell("ln -s /etc way"), ...GOOD), told(shell("rm way"), DONE)]);
    expect(await ended(place)).toMatchObject({ state: "accepted" });
    expect(place.conversations()[0]?.[1]).toContain(
      "way is a symbolic link to /etc, which is outside of the worktree.",
    );
    expect(place.onBranch("way")).toBeUndefined();
  });

  it("cannot, where there is a sandbox, even if it does not ask", needsSandbox, async () => {
    const tries = [
      `echo x > ${OUT}/evil.txt`,
      `echo x >> ${OUT}/README.md`,
      `echo x > ${OUT}/.git/refs/heads/evil`,
      `echo x > ${OUT}/.git/hooks/pre-commit`,
      `echo x > ${OUT}/.planwright/evil.txt`,
      `echo x >> ${OUT}/.planwright/plan.db`,
      `git branch evil`,
      `git commit -qm evil --allow-empty`,
      `rm -f .git`,
    ];
    const place = scriptedWorking([worker(...tries.map((command) => shell(command, false)), ...GOOD)], IN_CHECKOUT);
    expect(await ended(place)).toMatchObject({ state: "accepted" });
    expect(place.untouched()).toBe(UNTOUCHED);
    expect(place.rig.git("branch", "--list", "evil")).toBe("");
    const evil = [".git/hooks/pre-commit", ".planwright/evil.txt"].map((file) => join(place.rig.root, file));
    expect(evil.filter((file) => existsSync(file))).toEqual([]);
    expect(place.rig.ok(["verify"]).differences).toEqual([]);
  });

  it("may commit for itself where nothing stops it: its change is one commit all the same", async () => {
    const commit = "git add -A && git -c user.name=me -c user.email=me@x commit -qm mine";
    const place = scriptedWorking(
      [
        worker(write("greeting.txt", "helo"), shell(commit), DONE),
        told(write("greeting.txt", "hello"), shell(commit), shell("git checkout -q --detach"), DONE),
      ],
      { sandbox: "off" },
    );
    expect(await ended(place)).toMatchObject({ state: "accepted" });
    expect(place.rig.git("log", "--format=%an %s", "main..planwright/feature/FEAT-A")).toBe(
      "Ada TASK-00001: Write the greeting",
    );
    expect(place.untouched()).toBe(UNTOUCHED);
  });

  it("gains nothing by making another repository of its folder", async () => {
    const place = scriptedWorking([worker(shell("rm .git; git init -q ."), ...GOOD)], { sandbox: "off" });
    expect(await ended(place)).toMatchObject({ state: "accepted" });
    expect(place.onBranch("greeting.txt")).toBe("hello");
    expect(place.untouched()).toBe(UNTOUCHED);
  });
});
