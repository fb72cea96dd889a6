import { describe, expect, it } from "vitest";
import { chooseAgent, isOutlineStandIn } from "./agents.js";

const ROLES = { author: { agent: "codex", model: "m" }, "*": { agent: "claude" } };

describe("chooseAgent", () => {
  it.each([
    ["the agent of the role", "author", ROLES, "gemini", { agent: "codex", model: "m" }],
    ["the agent of every role", "critic", ROLES, "gemini", { agent: "claude" }],
    ["the first that is installed", "critic", {}, "gemini", { agent: "gemini" }],
    ["the outline planner as author", "author", {}, null, { agent: "outline" }],
    ["the outline planner as clarifier", "clarifier", {}, null, { agent: "outline" }],
    ["no agent where the outline planner cannot judge", "critic", {}, null, { agent: "none" }],
    [
      "no agent where the settings name the outline planner for it",
      "critic",
      { "*": { agent: "outline" } },
      "gemini",
      { agent: "none" },
    ],
    ["no reviewer unless the settings name one", "reviewer", {}, "gemini", { agent: "none" }],
    ["no reviewer where none is installed", "reviewer", {}, null, { agent: "none" }],
    ["the reviewer that the settings name", "reviewer", { reviewer: { agent: "codex" } }, "gemini", { agent: "codex" }],
    ["the agent of every role as reviewer", "reviewer", ROLES, "gemini", { agent: "claude" }],
    ["no agent where the settings say so", "critic", { critic: { agent: "none" } }, "gemini", { agent: "none" }],
  ])("chooses %s", (_, role, roles, first, expected) => {
    expect(chooseAgent(role, roles, first)).toEqual(expected);
  });

  it.each([
    [null, {}, null, true],
    ["outline", {}, null, false],
    [null, { author: { agent: "outline" } }, null, false],
    [null, { "*": { agent: "outline" } }, null, false],
    [null, {}, "claude", false],
  ])(
    "asked for %j with roles %j and %j installed: the outline planner stands in: %j",
    (asked, roles, first, expected) => {
      expect(isOutlineStandIn(asked, roles, first)).toBe(expected);
    },
  );
});
