// Threat: a worker makes its checks pass with something that no commit holds: what is in its folder and not in its change set, what
// happens there while they run, or what it left in temporary folders and caches.

import { appendFileSync, chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { WorkerInput } from "../../src/engine/services.js";
import type { Check } from "../../src/model/node/node.js";
import { write } from "../git-repository.js";
import { fileTask, openShop, type ShopOptions } from "../shop.js";

const FILES = { ".gitignore": ".planwright\nbuild/\n.env\n", ".gitattributes": "*.txt text ident\n" };

async function judged(checks: readonly Check[], work: (input: WorkerInput) => unknown, options: ShopOptions = {}) {
  const shop = await openShop([fileTask("one", { files: [], checks })], {
    files: FILES,
    ...options,
    policy: { fixes: 0, logicRetries: 0, ...options.policy },
    doing: async (input) => {
      write(input.cwd, { "one.txt": "wrong\n" });
      await work(input);
      return {};
    },
  });
  await shop.workThrough();
  const [attempt] = await shop.attempts();
  return { shop, state: attempt?.state, checks: attempt?.checks ?? [] };
}

/** What a worker does in its folder, and a check that would pass there. */
const LEFT: readonly (readonly [string, (input: WorkerInput) => unknown, string])[] = [
  ["an empty folder", ({ cwd }) => mkdirSync(join(cwd, "empty")), "test -d empty"],
  ["an ignored file", ({ cwd }) => write(cwd, { ".env": "right" }), "grep -q right .env"],
  ["a build that git ignores", ({ cwd }) => write(cwd, { "build/one.txt": "right" }), "grep -q right build/one.txt"],
  [
    "the age of a file",
    ({ cwd }) => utimesSync(join(cwd, "one.txt"), 1, 1),
    "find one.txt ! -newermt 2001-01-01 | grep one",
  ],
  ["the mode of a file", ({ cwd }) => chmodSync(join(cwd, "one.txt"), 0o600), "find one.txt -perm 600 | grep one"],
  [
    "line ends that git changes",
    ({ cwd }) => write(cwd, { "one.txt": "a\r\n" }),
    "grep -q \"$(printf 'a\\r')\" one.txt",
  ],
  ["a name that git fills in", ({ cwd }) => write(cwd, { "one.txt": "$Id: right$\n" }), "grep -q right one.txt"],
  [
    "its temporary folder",
    ({ env }) => write(env["TMPDIR"] ?? "", { right: "" }),
    "test -f $TMPDIR/right -o -f $PLANWRIGHT_TMP/right",
  ],
  ["its cache", ({ env }) => write(env["PLANWRIGHT_CACHE"] ?? "", { right: "" }), "test -f $PLANWRIGHT_CACHE/right"],
  [
    "its bundle",
    ({ env }) => appendFileSync(env["PLANWRIGHT_BUNDLE"] ?? "", "planted"),
    "grep -q 'plan[t]ed' $PLANWRIGHT_BUNDLE",
  ],
];

describe("no check passes by what a worker left:", () => {
  it.each(LEFT)("%s", async (_, leave, run) => {
    const { state, checks } = await judged([{ run }], leave);
    expect({ state, passed: checks.map(({ passed }) => passed) }).toEqual({ state: "rejected", passed: [false] });
  });
});

it("a file that a worker flips in its folder while its checks run changes no result", async () => {
  let worker: string | undefined;
  const { shop, state } = await judged(
    [{ run: "grep -q right one.txt" }],
    ({ cwd }) => {
      worker = cwd;
    },
    { policy: { onFailedCheck: "continue" }, onEvent: (event) => event.type === "line" && flip() },
  );
  function flip(): void {
    if (worker !== undefined) writeFileSync(join(worker, "one.txt"), "right\n");
  }
  expect(readFileSync(join(worker ?? "", "one.txt"), "utf8")).toBe("right\n");
  expect(state).toBe("rejected");
  expect(shop.git("log", "--format=%s", "planwright/feature/FEAT-A")).toBe("begin");
});

describe("a check finds what the commit holds, whatever the one before it did:", () => {
  it("files that it changed are put back, and its output says so", async () => {
    const change = "echo right > one.txt; echo x > README.md; touch planted.py; mkdir -p build; touch build/made";
    const { state, checks } = await judged(
      [{ run: change }, { run: "grep -q right one.txt" }, { run: "test -f planted.py" }, { run: "test -f build/made" }],
      () => undefined,
    );
    expect(state).toBe("rejected");
    // What git ignores stays: a build may be one check, and its use the next.
    expect(checks.map(({ passed }) => passed)).toEqual([true, false, false, true]);
    expect(checks[0]?.output).toContain("put back after it: README.md, one.txt, planted.py");
  });

  it("what it left in its temporary folder is gone", async () => {
    const { checks } = await judged([{ run: 'echo x > "$TMPDIR/x"' }, { run: 'test -e "$TMPDIR/x"' }], () => undefined);
    expect(checks.map(({ passed }) => passed)).toEqual([true, false]);
  });

  it("a repository that it made in the tree is gone, with the module in it", async () => {
    const plant = "mkdir runner && git init -q runner && touch runner/__init__.py";
    const { checks } = await judged([{ run: plant }, { run: "test -e runner" }], () => undefined);
    expect(checks.map(({ passed }) => passed)).toEqual([true, false]);
  });

  it("a tree that cannot be compared any more proves nothing: the attempt has failed", async () => {
    const spoil = "mkdir deep && mkfifo deep/.gitignore && echo right > one.txt";
    const { state, shop } = await judged([{ run: spoil }, { run: "grep -q right one.txt" }], () => undefined);
    expect(state).toBe("failed");
    expect((await shop.attempts())[0]?.failure?.reason).toContain("could not be compared");
  });

  it("a process that it left behind has ended", async () => {
    const flip = "while :; do echo right > one.txt; done";
    const run = `setsid sh -c '${flip}' > /dev/null 2>&1 & until grep -q right one.txt; do :; done`;
    const { state, checks } = await judged([{ run }, { run: "grep -q right one.txt" }], () => undefined);
    expect(state).toBe("rejected");
    expect(checks.map(({ passed }) => passed)).toEqual([true, false]);
  });
});

it("a commit that cannot be set up is not accepted", async () => {
  const policy = { setup: ["! grep -qs wrong one.txt"] };
  const { shop, state } = await judged([{ run: "true" }], () => undefined, { policy });
  expect(state).toBe("failed");
  expect((await shop.attempts())[0]?.note).toContain("The set-up command");
});
