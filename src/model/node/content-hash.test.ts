import { describe, expect, it } from "vitest";
import { AT, aNode } from "../../../test/node.js";
import { sha256 } from "../../store/sha256.js";
import { contentHash } from "./content-hash.js";
import { BLANK, type Node, type NodeFields } from "./node.js";

const uuidOf = (nr: number): string => `uuid-${nr}`;
const stated = (...on: number[]): Node["dependsOn"] => on.map((nr) => ({ on: nr, origin: "stated" }));

const BASE = aNode({
  body: "Do it.",
  dependsOn: stated(4, 5),
  files: ["a.ts", "b.ts"],
  symbols: ["f"],
  checks: [{ run: "npm test" }],
  profile: "backend",
  budgets: { attempts: 3 },
});

const hash = (over: Partial<Node>): string => contentHash({ ...BASE, ...over }, uuidOf, sha256);

/** What an approval binds, and what it leaves free. */
const BINDS: Readonly<Partial<Record<keyof NodeFields, readonly Partial<Node>[]>>> = {
  tier: [{ tier: "story" }],
  kind: [{ kind: "review" }, { kind: null }],
  title: [{ title: "Another" }],
  body: [{ body: "Do it. " }, { body: "" }],
  parent: [{ parent: 4 }, { parent: null }],
  dependsOn: [{ dependsOn: stated(4) }, { dependsOn: stated(4, 6) }, { dependsOn: [] }],
  files: [{ files: ["a.ts"] }, { files: ["b.ts", "a.ts"] }, { files: ["a.ts,b.ts"] }],
  symbols: [{ symbols: [] }, { symbols: ["g"] }],
  checks: [
    { checks: [] },
    { checks: [{ run: "npm t" }] },
    { checks: [{ run: "npm test", expect: "exit 0" }] },
    { checks: [{ run: "npm test", timeoutS: 5 }] },
    { checks: [{ run: "npm test", cwd: "web" }] },
  ],
  profile: [{ profile: "api" }, { profile: null }],
  budgets: [{ budgets: {} }, { budgets: { attempts: 4 } }, { budgets: { attempts: 3, replans: 1 } }],
};

const FREE: Readonly<Partial<Record<keyof NodeFields, Partial<Node>>>> = {
  uuid: { uuid: "other" },
  id: { id: "T-9" },
  priority: { priority: 0 },
  estimateHours: { estimateHours: 5 },
  inbox: { inbox: true },
  approval: { approval: null },
  freeze: { freeze: { reason: "x", by: "human:ada", at: AT, from: 1, commit: null } },
  claim: { claim: { by: "agent:bot", token: "t", epoch: 1, at: AT, until: AT } },
  outcome: { outcome: { kind: "done", by: "human:ada", at: AT, reason: null, op: 1 } },
  acceptance: { acceptance: { state: "accepted", by: "checks", at: AT, reason: null } },
  report: { report: null },
  archive: { archive: { by: "human:ada", at: AT, root: 1, summary: null } },
  discoveries: { discoveries: [{ note: "n", from: 1, by: "agent:bot", at: AT }] },
  epoch: { epoch: 4 },
  attempts: { attempts: 4 },
  retries: { retries: 4 },
  replans: { replans: 4 },
  replansGranted: { replansGranted: 4 },
  awaitsPlan: { awaitsPlan: { by: "human:ada", at: AT, reason: "too large" } },
  createdAt: { createdAt: 0 },
  createdBy: { createdBy: "agent:bot" },
};

describe("the content hash", () => {
  const changes = Object.entries(BINDS).flatMap(([field, all]) => all.map((over) => [field, over] as const));

  it.each(changes)("changes with %s: %j", (_, over) => {
    expect(hash(over)).not.toBe(hash({}));
  });

  it.each(Object.entries(FREE))("does not change with %s", (_, over) => {
    expect(hash(over)).toBe(hash({}));
  });

  it("is tested for every field of a node", () => {
    const fields = [...Object.keys(BLANK), "uuid", "id", "tier", "title", "createdAt", "createdBy"];
    expect([...Object.keys(BINDS), ...Object.keys(FREE)].sort()).toEqual(fields.sort());
  });

  it("leaves out edges that only delay, and the order of the others", () => {
    const delaying: Node["dependsOn"] = [{ on: 8, origin: "sequence" }, ...stated(5, 4), { on: 9, origin: "conflict" }];
    expect(hash({ dependsOn: delaying })).toBe(hash({}));
    expect(hash({ dependsOn: [{ on: 4, origin: "sequence" }, ...stated(5)] })).not.toBe(hash({}));
  });

  it("names other nodes by UUID, so that numbers do not matter", () => {
    expect(contentHash(BASE, (nr) => `uuid-${nr}`, sha256)).not.toBe(contentHash(BASE, (nr) => `other-${nr}`, sha256));
  });

  it("does not confuse one field with another", () => {
    expect(hash({ title: "a", body: "b" })).not.toBe(hash({ title: "ab", body: "" }));
    expect(hash({ files: ["x"], symbols: [] })).not.toBe(hash({ files: [], symbols: ["x"] }));
  });

  it("is 32 hexadecimal digits", () => {
    expect(hash({})).toMatch(/^[0-9a-f]{32}$/);
  });
});
