import { describe, expect, it } from "vitest";
import { changesOf, differing, draftOf, type EditedNode } from "./node-draft.js";

const NODE: EditedNode = {
  title: "Retry",
  body: "With pauses.",
  checks: [{ run: "npm test", expect: "exit 3" }, { run: "npm run lint" }],
};
const DRAFT = draftOf(NODE);

describe("an edit in place", () => {
  it.each([
    ["nothing", {}, {}],
    ["the title", { title: "Retry twice" }, { title: "Retry twice" }],
    ["the text", { body: "" }, { body: "" }],
    ["a check", { checks: "npm test\n\n npm run types " }, { checks: [NODE.checks[0], { run: "npm run types" }] }],
  ])("sends only what you changed: %s", (_, change, sent) =>
    expect(changesOf(NODE, { ...DRAFT, ...change })).toEqual(sent),
  );

  it("knows what somebody else changed meanwhile", () => {
    const now = draftOf({ ...NODE, title: "Another", checks: [] });
    expect(differing(DRAFT, now)).toEqual(["title", "checks"]);
  });
});
