import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { makeStyle } from "../kit/style.js";
import { fitText, isolate, widthOf } from "../text/fit.js";
import type { StatusTree, StatusView } from "./read-status.js";
import { renderStatus } from "./status.js";

describe("fit", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly", 7, "exactly"],
    ["too long for it", 8, "too lon…"],
    ["ends with a space", 5, "ends…"],
    ["パスワード", 7, "パスワ…"],
    ["パスワード", 6, "パス…"],
    ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 5, "👨‍👩‍👧‍👦👨‍👩‍👧‍👦…"],
    ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 4, "👨‍👩‍👧‍👦…"],
    ["anything", 0, ""],
    ["anything", -3, ""],
  ])("puts %j into %i columns", (text, columns, fitted) => {
    expect(fitText(text, columns)).toBe(fitted);
    expect(widthOf(fitText(text, columns))).toBeLessThanOrEqual(Math.max(0, columns));
  });

  it("measures plain text as the tables of all scripts do", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), fc.integer({ min: -1, max: 20 }), (text, columns) => {
        fc.pre(/^[ -~]*$/.test(text));
        const coloured = `├─ ${makeStyle(true, 80).cyan(text)}`;
        expect(widthOf(coloured)).toBe(3 + text.length);
        expect(widthOf(`├─ ${text}`)).toBe(stringWidth(`├─ ${text}`));
        // A character of another script behind it, which is cut off, has all of it measured by the tables.
        fc.pre(text.length > columns);
        expect(fitText(text, columns)).toBe(fitText(`${text}パ`, columns));
      }),
    );
  });

  it("measures every character that it takes for plain as the tables do, alone and between others", () => {
    const signs = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
    const wrong = signs.flatMap((sign) => [sign, `é${sign}x`]).filter((text) => widthOf(text) !== stringWidth(text));
    expect(wrong).toEqual([]);
  });

  it("keeps text that runs from right to left to itself", () => {
    expect(isolate("plain")).toBe("plain");
    expect(isolate("שלום")).toBe("\u2068שלום\u2069");
    expect(widthOf(isolate("שלום"))).toBe(4);
  });
});

const leaf = (id: string, rest: Partial<StatusTree> = {}): StatusTree => ({
  id,
  title: `Task ${id}`,
  tier: "task",
  kind: "work",
  status: "ready",
  reason: "claimable",
  because: [],
  engineHolds: [],
  checks: [],
  priority: null,
  landed: null,
  readyToLand: false,
  progress: null,
  children: [],
  ...rest,
});

const COUNTS = {
  ready: 1,
  inProgress: 2,
  blocked: 3,
  waitingForPerson: 4,
  rejected: 0,
  frozen: 0,
  planned: 0,
  finished: 0,
};

const view = (tree: StatusTree[], rest: Partial<StatusView> = {}): StatusView => ({
  tree,
  counts: COUNTS,
  progress: { finished: 0, total: 10 },
  level: "off",
  hidden: { archived: 0, dropped: 0, deeper: false },
  waiting: null,
  spending: null,
  next: [],
  ...rest,
});

function draw(view: StatusView, columns = 80): string[] {
  return renderStatus(view, makeStyle(false, columns)).split("\n");
}

const container = (id: string, children: StatusTree[], finished: number, total: number): StatusTree =>
  leaf(id, {
    tier: "feature",
    kind: null,
    status: "in_progress",
    reason: "container",
    progress: { finished, total },
    children,
  });

describe("the level", () => {
  it.each<[StatusView["level"], string[]]>([
    ["on", ["Level on: the daemon builds what is approved"]],
    ["auto", ["Level auto: the daemon builds what is approved, and lands what is green"]],
    ["off", []],
    [null, []],
  ])("%s is said unless nobody has set it", async (level, said) => {
    const drawn = draw(view([leaf("A")], { level }));
    expect(drawn.filter((line) => line.includes("Level"))).toEqual(said);
  });
});

describe("the tree of status", () => {
  it("has branches, signs, bars in one column, and remarks", async () => {
    const tree = container(
      "M",
      [
        container(
          "F-1",
          [
            leaf("A", { status: "done", reason: "terminal" }),
            leaf("B", { status: "in_progress", reason: "in-flight", because: ["agent:bot"] }),
          ],
          1,
          2,
        ),
        container(
          "F-2",
          [
            leaf("C", { kind: "gate", reason: "human" }),
            leaf("D", { kind: "land", status: "blocked", reason: "deps-pending", because: ["C"] }),
          ],
          0,
          3,
        ),
      ],
      2,
      2,
    );
    expect(draw(view([tree]))).toEqual([
      "▶ M  Task M         ██████████ 2/2",
      "├─ ▶ F-1  Task F-1  █████░░░░░ 1/2",
      "│  ├─ ✓ A  Task A",
      "│  └─ ▶ B  Task B  agent:bot",
      "└─ ▶ F-2  Task F-2  ░░░░░░░░░░ 0/3",
      "   ├─ ◆ C  Task C [gate]  waits for a person",
      "   └─ ■ D  Task D [land]  waits for C",
      "",
      "◆ 1 ready · ▶ 2 in progress · ■ 3 blocked · ? 4 waiting for you · ! 0 rejected",
    ]);
  });

  it.each([
    ["approval-stale", [], "changed since it was approved"],
    ["unapproved", [], "not approved"],
    ["rejected", ["2 of 3 failed"], "2 of 3 failed"],
    ["frozen", ["wait"], "wait"],
    ["dep-rejected", ["A", "B"], "A, B was rejected"],
    ["dep-dropped", ["A"], "A was dropped"],
    ["conflict", ["A"], "touches what A touches"],
    ["budget", [], "no attempts left"],
    ["inbox", [], "nothing in the inbox runs"],
  ] as const)("says of %s why", async (reason, because, remark) => {
    expect(draw(view([leaf("T", { reason, because })]))[0]).toBe(`◆ T  Task T  ${remark}`);
  });

  it("is never wider than the screen, whatever is written in it", async () => {
    const titles = [
      "x".repeat(500),
      "パ".repeat(300),
      "👨‍👩‍👧‍👦".repeat(80),
      `שלום ${"עולם ".repeat(90)}`,
      "e\u0301".repeat(300),
    ];
    const remark = { status: "blocked", reason: "deps-pending", because: ["A".repeat(60), "B"] } as const;
    const tree = titles.map((title, i) => ({
      ...container(`F-${i}`, [leaf(`T-${i}`, { title, ...remark }), leaf(`U-${i}`, { title })], 1, 1234),
      title,
    }));
    for (const columns of [40, 60, 80, 200]) {
      const lines = draw(view(tree, { hidden: { archived: 0, dropped: 0, deeper: false } }), columns);
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
    }
    expect(draw(view(tree), 60)[1]).toMatch(/xxx… {2}waits for A+…$/);
  });

  it("draws a tree of any size", async () => {
    const tasks = Array.from({ length: 150_000 }, (_, i) => leaf(`T-${i}`));
    expect(draw(view([container("F", tasks, 0, tasks.length)])).length).toBeGreaterThan(tasks.length);
  });

  it("shows nothing that a terminal would obey", async () => {
    const [line] = draw(view([leaf("T", { title: "a\u001b[31mred\u202eback" })]));
    expect(line).toBe("◆ T  a⟨U+001B⟩[31mred⟨U+202E⟩back");
  });

  it("fills a bar only when everything is finished, and empties it only when nothing is", async () => {
    const bar = async (finished: number, total: number): Promise<string | undefined> =>
      /[█░]+/.exec(draw(view([container("F", [], finished, total)]))[0] ?? "")?.[0];
    expect(await Promise.all([bar(0, 99), bar(1, 99), bar(98, 99), bar(99, 99)])).toEqual([
      "░░░░░░░░░░",
      "█░░░░░░░░░",
      "█████████░",
      "██████████",
    ]);
  });

  it("says what is hidden and how to see it", async () => {
    const lines = draw(
      view([leaf("T")], {
        counts: { ...COUNTS, frozen: 1, planned: 2, finished: 3 },
        hidden: { archived: 1, dropped: 2, deeper: true },
      }),
      200,
    );
    expect(lines.slice(-4)).toEqual([
      "◆ 1 ready · ▶ 2 in progress · ■ 3 blocked · ? 4 waiting for you · ! 0 rejected · ❄ 1 frozen · ○ 2 planned · ✓ 3 finished",
      "There is more below: name a node, or use --depth N or --all",
      "1 archived branch is hidden (--archived)",
      "2 dropped branches are hidden (--dropped)",
    ]);
  });
});

describe("what agents used", () => {
  const used = { calls: 2, tokens: 1_200, costUsd: 0.5 };
  const spending = {
    total: used,
    roles: [{ of: "author", ...used }],
    runs: [{ of: "RUN-001", ...used }],
    features: [{ of: "FEAT-001", calls: 1, tokens: 1, costUsd: 0 }],
    days: [
      { of: "2026-01-01", ...used },
      { of: "2026-01-02", calls: 1, tokens: 7, costUsd: 0 },
    ],
  };

  it("is one line by role, run, feature and the last day", async () => {
    expect(draw(view([leaf("A")], { spending }), 200).at(-1)).toBe(
      "Spent 1200 tokens, $0.50 · author 1200 tokens, $0.50 · RUN-001 1200 tokens, $0.50 · FEAT-001 1 token · 2026-01-02 7 tokens",
    );
  });

  it("is not mentioned where nothing was used", async () => {
    const none = { total: { calls: 1, tokens: 0, costUsd: 0 }, roles: [], runs: [], features: [], days: [] };
    expect(draw(view([leaf("A")], { spending: none })).join("\n")).not.toContain("Spent");
  });
});
