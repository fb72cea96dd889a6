// Which operations a client may follow by patching rows.

import { describe, expect, it } from "vitest";
import type { Claim, NodeFields } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { reachesFar } from "../history/operation-events.js";

const claim: Claim = { by: "agent:a", token: "t", epoch: 1, at: 1, until: 2 };
const approval = { by: "human:ada", at: 1, hash: "h" } as unknown as NodeFields["approval"];
const outcome = { kind: "done", op: 1, by: "human:ada", at: 1, reason: null } as NodeFields["outcome"];

describe("reachesFar", () => {
  it.each<[string, Partial<NodeFields> | null, Partial<NodeFields> | null, boolean]>([
    ["a new title", { title: "a" }, { title: "b" }, false],
    ["a prolonged claim", { claim }, { claim: { ...claim, until: 9 } }, false],
    ["a claim", { claim: null }, { claim }, true],
    ["a release", { claim }, { claim: null }, true],
    ["an approval", { approval: null }, { approval }, true],
    ["a landing", { outcome: null }, { outcome }, true],
    ["other files", { files: [] }, { files: ["a.ts"] }, true],
    ["a replan", { awaitsPlan: null }, { awaitsPlan: { by: "human:ada", at: 1, reason: "too large" } }, true],
  ])("%s", (_, before, after, expected) => {
    const change: Change = { entity: "node", key: 1, before, after };
    expect(reachesFar([change])).toBe(expected);
  });

  it.each<[string, object | null, object | null, boolean]>([
    ["a run that begins", null, { status: "running" }, true],
    ["a run that ends", { status: "ready" }, { status: "finished" }, true],
    ["a run that goes on", { machine: 1 }, { machine: 2 }, false],
    ["a run that is taken back", { status: "running" }, null, true],
  ])("%s", (_, before, after, expected) => {
    expect(reachesFar([{ entity: "run", key: "RUN-001", before, after } as Change])).toBe(expected);
  });
});
