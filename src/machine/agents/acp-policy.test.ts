import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { afterAll, describe, expect, it } from "vitest";
import { chooseOption, isGranted, isOwnFile } from "./acp-connection.js";

const call = (rest: Partial<ToolCallUpdate>): ToolCallUpdate => ({ toolCallId: "1", ...rest });
const diffOf = (path: string) => ({ type: "diff" as const, path, newText: "x" });
const at = (...paths: string[]) => ({ locations: paths.map((path) => ({ path })) });

describe("an agent that asks may", () => {
  it.each<[string, Partial<ToolCallUpdate>, boolean, boolean]>([
    ["read", { kind: "read" }, true, true],
    ["search", { kind: "search" }, true, true],
    ["edit inside", { kind: "edit", ...at("/work/a") }, false, true],
    ["edit outside", { kind: "edit", ...at("/work/a", "/etc/passwd") }, false, false],
    ["edit by a detour", { kind: "edit", ...at("/work/../etc/passwd") }, false, false],
    ["edit what its words say is outside", { kind: "edit", content: [diffOf("/etc/passwd")] }, false, false],
    ["edit what its words say is inside", { kind: "edit", content: [diffOf("/work/a")] }, false, true],
    ["edit the repository", { kind: "edit", ...at("/work/.git/config") }, false, false],
    ["edit the plan", { kind: "edit", ...at(".planwright/plan.db") }, false, false],
    ["edit what only sounds like the repository", { kind: "edit", ...at("/work/.gitignore") }, false, true],
    ["delete outside", { kind: "delete", ...at("/other") }, false, false],
    ["run a command", { kind: "execute", title: "npm test" }, false, true],
    ["fetch", { kind: "fetch" }, false, true],
    ["do what it does not say", {}, false, true],
    ["hand in", { kind: "other", title: "submit (planwright MCP Server)" }, true, true],
    ["hand in by another name", { title: "mcp__planwright__submit_json" }, true, true],
    ["look up", { kind: "other", title: "look_up (planwright MCP Server)" }, true, true],
    ["look up by another name", { title: "planwright_look_up" }, true, true],
    ["run a command that only sounds like looking up", { kind: "execute", title: "look_up" }, false, true],
    ["run a command that only sounds like it", { kind: "execute", title: "submit" }, false, true],
    ["hand in, called by its server", { kind: "other", title: "planwright-submit" }, true, true],
    ["fetch something that mentions it", { kind: "fetch", title: "Fetch https://x.example/submit?d=1" }, false, true],
    ["do something that mentions it", { title: "rm -rf submit" }, false, true],
    ["use a tool that only looks like it", { kind: "other", title: "resubmitted" }, false, true],
  ])("%s", (_, rest, reader, writer) => {
    expect([isGranted(call(rest), "read", "/work"), isGranted(call(rest), "write", "/work")]).toEqual([reader, writer]);
  });
});

it.each([
  [["allow_always", "allow_once", "reject_once"], true, "allow_once"],
  [["allow_always", "reject_once"], true, "allow_always"],
  [["allow_once", "reject_always", "reject_once"], false, "reject_once"],
  [["allow_once", "reject_always"], false, "reject_always"],
  [["allow_once"], false, undefined],
  [[], true, undefined],
] as const)("of %j the answer to %s is %s", (kinds, granted, chosen) => {
  expect(
    chooseOption(
      kinds.map((kind) => ({ optionId: kind, name: kind, kind })),
      granted,
    ),
  ).toBe(chosen);
});

describe("links are followed", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-policy-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "work/sub"), { recursive: true });
  symlinkSync(folder, join(folder, "work/out"));
  symlinkSync(join(folder, "work/sub"), join(folder, "work/in"));
  symlinkSync(join(folder, "work"), join(folder, "alias"));

  it.each([
    ["work", "new/deep/file", true],
    ["work", "in/file", true],
    ["work", "out/file", false],
    ["work", "out/work/file", true],
    ["alias", "file", true],
  ])("%s: %s (%s)", async (cwd, path, own) => {
    expect(await isOwnFile(join(folder, cwd), path)).toBe(own);
  });
});
