import { describe, expect, it } from "vitest";
import { type BundleNow, bundleIntegrity, type Packed, sameBundle } from "./bundle.js";

const packed: Packed = {
  hash: "text",
  content: "content",
  parts: { "DEC-001": "d", "TASK-00001": "t" },
  files: { "made.ts": "m", "own.ts": "o", "new.ts": "" },
  needed: ["made.ts"],
};

const now: BundleNow = {
  text: "text",
  sidecar: true,
  content: "content",
  parts: packed.parts,
  files: packed.files,
};

describe("whether a bundle is whole", () => {
  it.each<[string, Partial<BundleNow>, Partial<Packed>, string, string[]]>([
    ["nothing has changed", {}, {}, "whole", []],
    ["the text is gone", { text: null }, {}, "missing", ["missing bundle.md: is not there"]],
    ["the text was edited", { text: "x" }, {}, "drifted", ["drifted bundle.md: was changed after it was packed"]],
    ["the sidecar is gone", { sidecar: null }, {}, "missing", ["missing bundle.json: is not there"]],
    [
      "the sidecar was edited",
      { sidecar: false },
      {},
      "drifted",
      ["drifted bundle.json: was changed after it was packed"],
    ],
    ["the task was edited", { content: "x" }, {}, "drifted", ["drifted the task: was changed since"]],
    [
      "a record was changed",
      { parts: { ...packed.parts, "DEC-001": "x" } },
      {},
      "drifted",
      ["drifted DEC-001: was changed since"],
    ],
    ["a record was superseded", { parts: { "TASK-00001": "t" } }, {}, "drifted", ["drifted DEC-001: no longer holds"]],
    [
      "a record is new",
      { parts: { ...packed.parts, "CON-001": "c" } },
      {},
      "drifted",
      ["drifted CON-001: is new since"],
    ],
    [
      "a dependency's file is gone",
      { files: { ...packed.files, "made.ts": "" } },
      {},
      "missing",
      ["missing made.ts: was made by a dependency and is not there"],
    ],
    [
      "a dependency's file never was there",
      { files: {} },
      { files: { "made.ts": "" } },
      "missing",
      ["missing made.ts: was made by a dependency and is not there"],
    ],
    [
      "a dependency's file was changed",
      { files: { ...packed.files, "made.ts": "x" } },
      {},
      "drifted",
      ["drifted made.ts: was changed since"],
    ],
    [
      "its own file is gone",
      { files: { ...packed.files, "own.ts": "" } },
      {},
      "missing",
      ["missing own.ts: is no longer there"],
    ],
    [
      "a file that it makes is there",
      { files: { ...packed.files, "new.ts": "n" } },
      {},
      "drifted",
      ["drifted new.ts: has appeared since"],
    ],
    [
      "missing counts for more than drifted",
      { text: null, content: "x" },
      {},
      "missing",
      ["missing bundle.md: is not there", "drifted the task: was changed since"],
    ],
  ])("%s", (_, over, overPacked, state, items) => {
    const found = bundleIntegrity({ ...packed, ...overPacked }, { ...now, ...over });
    expect(found.state).toBe(state);
    expect(found.items.map((item) => `${item.state} ${item.what}: ${item.detail}`)).toEqual(items);
  });

  it("need not be packed again when everything is the same", () => {
    expect(sameBundle(packed, { ...packed })).toBe(true);
    expect(sameBundle(packed, { ...packed, hash: "x" })).toBe(false);
    expect(sameBundle(packed, { ...packed, needed: [] })).toBe(false);
  });
});
