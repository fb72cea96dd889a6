import { describe, expect, it } from "vitest";
import { aContainer, aNode } from "../../../test/node.js";
import { FOCUS_TOKENS, isFocusToken, pickFocus, pickMatch, pickTitles, titleKey } from "./resolve.js";

const nodes = (count: number) =>
  Array.from({ length: count }, (_, i) => aNode({ nr: i, id: `T-${i}`, title: `Title ${i}` }));

it("a bug is not confused with the feature of the same title that was made around it", () => {
  const [feature, bug] = [aContainer({ nr: 7, title: "Slow start" }), aNode({ nr: 8, parent: 7, title: "Slow start" })];
  expect(pickTitles("slow start", [feature, bug])).toEqual([bug]);
  expect(pickTitles("slow start", [feature, { ...bug, parent: 9 }])).toEqual([feature, { ...bug, parent: 9 }]);
});

describe("a reference", () => {
  it("that matches one node is that node", () => {
    const [only] = nodes(1);
    expect(pickMatch("t-0", nodes(1))).toEqual({ ok: true, value: only });
  });

  it("that matches nothing is absent, and says where to look", () => {
    expect(pickMatch("nope", [])).toMatchObject({
      ok: false,
      error: { kind: "absent", reason: "not-found", message: 'Nothing in the plan matches "nope".' },
    });
  });

  it("that matches several is never guessed: all are listed", () => {
    expect(pickMatch("title", nodes(3))).toMatchObject({
      ok: false,
      error: {
        kind: "ambiguous",
        message: '"title" matches several nodes. Name one by its id:\n  T-0  Title 0\n  T-1  Title 1\n  T-2  Title 2',
        details: { candidates: [{ id: "T-0", title: "Title 0" }, { id: "T-1" }, { id: "T-2" }] },
      },
    });
  });

  it("that matches very many lists some, and says that there are more", () => {
    const result = pickMatch("title", nodes(21));
    if (result.ok) throw new Error("It is ambiguous.");
    expect(result.error.message.split("\n")).toHaveLength(22);
    expect(result.error.message).toMatch(/\n {2}…$/);
    expect(result.error.details?.["candidates"]).toHaveLength(20);
  });

  it("that is very long is shortened in the message", () => {
    expect(pickMatch("x".repeat(10_000), [])).toMatchObject({
      ok: false,
      error: { message: `Nothing in the plan matches "${"x".repeat(77)}…".` },
    });
  });
});

describe("words of a title", () => {
  const titled = (...titles: string[]) => titles.map((title, nr) => aNode({ nr, id: `T-${nr}`, title }));
  const found = (reference: string, ...titles: string[]) =>
    pickTitles(titleKey(reference), titled(...titles)).map(({ title }) => title);

  it.each([
    ["auth-flow", ["Auth flow", "Auth flow tests"], ["Auth flow"]],
    ["AUTH_FLOW", ["Auth-Flow"], ["Auth-Flow"]],
    [" auth ", ["Auth flow", "OAuth"], ["Auth flow", "OAuth"]],
    ["Auth", ["Auth", "auth", "Auth flow"], ["Auth", "auth"]],
    ["über", ["Über alles", "ober"], ["Über alles"]],
  ])("%s prefers an exact title", (reference, titles, expected) => {
    expect(found(reference, ...titles)).toEqual(expected);
  });
});

describe("a focus token", () => {
  const task = aNode();
  const story = aContainer({ id: "STORY-1" });
  const feature = aContainer({ id: "FEAT-1", tier: "feature" });
  const path = [task, story, feature];

  it.each([
    ["--active", path, "T-1"],
    ["--story", path, "STORY-1"],
    ["--feature", path, "FEAT-1"],
    ["--story", [story, feature], "STORY-1"],
    ["--active", [feature], "FEAT-1"],
  ] as const)("%s means the node in focus or what is around it: %#", (token, given, id) => {
    expect(pickFocus(token, given)).toMatchObject({ ok: true, value: { id } });
  });

  it("means nothing without a focus", () => {
    for (const token of FOCUS_TOKENS) {
      expect(pickFocus(token, [])).toMatchObject({ ok: false, error: { kind: "absent", reason: "no-focus" } });
    }
  });

  it("means nothing where no such node is around the focus", () => {
    expect(pickFocus("--story", [feature])).toMatchObject({
      ok: false,
      error: { reason: "no-focus", message: "The focus FEAT-1 is not inside a story." },
    });
  });

  it("is one of three words", () => {
    expect(["--active", "--story", "--feature"].every(isFocusToken)).toBe(true);
    expect(["active", "--task", ""].some(isFocusToken)).toBe(false);
  });
});
