import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { addAll, makeEmptyPlan, mustFail, task } from "../../../test/plan.js";
import { begin, makeSites, picture, type Site } from "../../../test/sites.js";
import { undo } from "../../verbs/history/take-back.js";
import { syncWith } from "./sync.js";

/** The same numbers for the same seed. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function act(site: Site, below: (n: number) => number): Promise<void> {
  const { plan, name } = site;
  const ids = await plan.store.read(async (reader) => {
    const found: string[] = [];
    for await (const node of reader.scan()) if (node.kind === "work" && node.outcome === null) found.push(node.id);
    return found;
  });
  const one = ids[below(ids.length)] ?? "STORY-A";
  const other = ids[below(ids.length)] ?? "STORY-A";
  const tried = [
    () => ask(plan, "add", { title: `${name} ${below(1000)}`, parent: "STORY-A" }),
    () => ask(plan, "edit", { reference: one, title: `${name} ${below(1000)}` }),
    () => ask(plan, "edit", { reference: one, body: `line ${below(5)}\nline ${below(5)}` }),
    () => ask(plan, "link", { reference: one, on: [other] }),
    () => ask(plan, "drop", { references: [one] }),
    () => ask(plan, "freeze", { references: [one], reason: `${name} waits` }),
    () => ask(plan, "thaw", { references: [one] }),
    () => ask(plan, "comment", { reference: one, text: `${name} ${below(1000)}` }),
    () => ask(plan, "label", { references: [one], add: [`l${below(4)}`] }),
    () => undo(plan),
  ];
  // What a rule refuses changes nothing.
  await tried[below(tried.length)]?.();
}

async function settle(sites: readonly Site[]): Promise<void> {
  for (let round = 0; round < 3; round++) for (const site of sites) await site.sync();
}

describe("three clones whose clocks are hours apart", () => {
  it.each([1, 5, 12, 13])("come to one plan after random work and syncs in random order (%i)", async (seed) => {
    const below = randomly(seed);
    const team = makeSites();
    const sites = [await team.add("ada"), await team.add("kim", 7), await team.add("lee", 30)];
    const [ada] = sites as [Site];
    await begin(ada);
    await addAll(ada.plan, [task("T-1"), task("T-2"), task("T-3")]);
    await settle(sites);
    for (let step = 0; step < 40; step++) {
      const site = sites[below(3)] as Site;
      if (below(5) === 0) await site.sync();
      else await act(site, below);
    }
    await settle(sites);
    const pictures = await Promise.all(sites.map(picture));
    expect(pictures[1]).toBe(pictures[0]);
    expect(pictures[2]).toBe(pictures[0]);
    for (const { plan } of sites) expect((await plan.store.verify()).differences).toEqual([]);
  });
});

describe("whatever happens to the refs", () => {
  async function two(): Promise<[Site, Site]> {
    const team = makeSites();
    const [ada, kim] = [await team.add("ada"), await team.add("kim")];
    await begin(ada);
    await ada.sync();
    await kim.sync();
    await addAll(kim.plan, [task("T-1")]);
    await kim.sync();
    return [ada, kim];
  }
  const refs = (site: Site): string => site.git("ls-remote", "origin", "refs/planwright/clones/*");

  it("loses nothing when the remote has lost all of them", async () => {
    const [ada, kim] = await two();
    await ada.sync();
    const before = refs(ada);
    for (const line of before.split("\n")) ada.git("push", "-q", "origin", "--delete", line.split("\t")[1] ?? "");
    expect(refs(ada)).toBe("");
    await ada.sync();
    expect(refs(ada)).toBe(before);
    expect(await picture(ada)).toBe(await picture(kim));
  });

  it("tells later what it could not push, and what came meanwhile stays", async () => {
    const [ada, kim] = await two();
    await addAll(ada.plan, [task("T-2")]);
    const hook = `${ada.git("remote", "get-url", "origin")}/hooks/pre-receive`;
    writeFileSync(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(mustFail(await syncWith(ada.place, "origin")).reason).toBe("remote-failed");
    expect(await picture(ada)).toContain("T-1");
    rmSync(hook);
    await ada.sync();
    await kim.sync();
    expect(await picture(ada)).toBe(await picture(kim));
  });

  it("goes on where this clone has lost its own", async () => {
    const [ada, kim] = await two();
    for (const ref of kim.git("for-each-ref", "--format=%(refname)", "refs/planwright").split("\n"))
      kim.git("update-ref", "-d", ref);
    await addAll(kim.plan, [task("T-2")]);
    await kim.sync();
    await ada.sync();
    expect(await picture(ada)).toBe(await picture(kim));
  });

  it("leaves out what was changed on the way, and says whose it is", async () => {
    const [ada, kim] = await two();
    const listed = refs(kim).split("\n");
    const names = listed.map((line) => line.split("\t")[1] ?? "");
    const ref = names.find((each) => kim.git("for-each-ref", "refs/planwright/clones").includes(each)) ?? "";
    const blob = kim.git("rev-parse", `${ref}:ops`);
    const [line = ""] = kim.git("ls-tree", blob).split("\n");
    const [, , object = "", name = ""] = line.split(/\s/);
    const changed = kim.git("cat-file", "blob", object).replace("Task T-1", "Evil T-1");
    const file = `${kim.folder}/changed`;
    writeFileSync(file, `${changed}\n`);
    const written = kim.git("hash-object", "-w", file);
    const commit = forge(kim, ref, `ops/${name}`, written);
    kim.git("push", "-q", "origin", `+${commit}:${ref}`);
    const { refused } = await ada.sync();
    expect(refused).toMatchObject([{ name: "kim", problem: "what it shares is not whole" }]);
    expect(await picture(ada)).not.toContain("T-1");
  });

  it("refuses to share for a plan whose file was put back, and changes nothing", async () => {
    const team = makeSites();
    const ada = await team.add("ada");
    await begin(ada);
    await ada.sync();
    const copy = `${ada.folder}/copy.db`;
    await ada.plan.store.backUp(copy);
    await addAll(ada.plan, [task("T-1")]);
    await ada.sync();
    const old = await makeEmptyPlan(copy);
    const failed = mustFail(await syncWith({ ...ada.place, store: old.store }, "origin"));
    expect(failed).toMatchObject({ kind: "refused", reason: "copied-plan" });
    await old.store.close();
  });
});

/** A commit like that of a ref, with another object in the place of a file. */
function forge(site: Site, ref: string, path: string, object: string): string {
  const env = {
    ...process.env,
    GIT_INDEX_FILE: `${site.folder}/.git/forged`,
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@a",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@a",
  };
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: site.folder, env, encoding: "utf8" }).trim();
  git("read-tree", ref);
  git("update-index", "--add", "--cacheinfo", `100644,${object},${path}`);
  return git("commit-tree", git("write-tree"), "-p", ref, "-m", "forged");
}
