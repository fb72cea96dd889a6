// A server may have many workspaces open at once: what runs in one is never seen, noted or ended in another.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { must } from "../../test/plan.js";
import { SECRET } from "../../test/secret.js";
import { settingsHash } from "../config/trust.js";
import { App } from "./app.js";

const ENV = {
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  USER: "ada",
  PLANWRIGHT_SECRET: SECRET,
};

async function workspaceWith(file: string): Promise<{ app: App; root: string }> {
  const root = mkdtempSync(join(tmpdir(), "planwright-two-"));
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a", ...args], { cwd: root, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "First");
  writeFileSync(
    join(root, "planwright.json"),
    JSON.stringify({ roles: { worker: { agent: "shell" } }, execution: { sandbox: "off", carry: [] } }),
  );
  git("add", "-A");
  git("commit", "-q", "-m", "Settings");
  const env = { ...ENV, PLANWRIGHT_TRUST: settingsHash(root) };
  const app = new App({ folder: root, actor: "human:ada", env });
  onTestFinished(async () => {
    await app.close();
    rmSync(root, { recursive: true, force: true });
  });
  must(await app.call("init", { mission: file }));
  must(await app.call("add", { title: "Feature", tier: "feature", id: "FEAT-1" }));
  const body = `\`\`\`sh run\necho ${file} > ${file}\n\`\`\``;
  must(
    await app.call("add", { title: "Task", id: "T-1", parent: "FEAT-1", body, checks: [{ run: `test -f ${file}` }] }),
  );
  must(await app.call("approve", { references: ["FEAT-1"], yes: true }));
  return { app, root };
}

it("runs and lands two plans at the same time in one process", async () => {
  const [one, two] = [await workspaceWith("one.txt"), await workspaceWith("two.txt")];
  const seen: string[] = [];
  const stop = new AbortController();
  const following = (async () => {
    for await (const operation of two.app.follow(0, { signal: stop.signal })) seen.push(operation.verb);
  })();
  const [first, second] = await Promise.all([
    one.app.call("run", { batch: true }),
    two.app.call("run", { batch: true }),
  ]);
  expect([must(first).landable, must(second).landable]).toEqual([["FEAT-1"], ["FEAT-1"]]);
  const landed = await Promise.all([
    one.app.call("land", { reference: "FEAT-1", yes: true }),
    two.app.call("land", { reference: "FEAT-1", yes: true }),
  ]);
  expect(landed.map((each) => must(each).outcome)).toEqual(["landed", "landed"]);
  expect([existsSync(join(one.root, "one.txt")), existsSync(join(one.root, "two.txt"))]).toEqual([true, false]);
  expect([existsSync(join(two.root, "two.txt")), existsSync(join(two.root, "one.txt"))]).toEqual([true, false]);
  stop.abort();
  await following;
  expect(seen).toContain("init");
  expect(seen).toContain("approve");
});
