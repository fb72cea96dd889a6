import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepository, type TestRepository, write } from "../../../test/git-repository.js";
import { addInbox, makePlan, must, type TestPlan } from "../../../test/plan.js";
import { planningRig, request } from "../../../test/planning.js";
import { addWorktree } from "../../machine/git/worktree.js";
import { changeItem } from "../../model/item/item.js";
import { ok } from "../../model/result.js";
import { act } from "../base/context.js";
import { letGoOfReadingFolder, removeReadingFolders, takeReadingFolder } from "./reading-folders.js";

interface Place {
  readonly repository: TestRepository;
  readonly plan: TestPlan;
  readonly folder: string;
}

const PROGRAMS = { process: "here/1", isAlive: (driver: string) => driver === "here/2" };

/** RUN-001 and RUN-002, each with a worktree. */
async function openPlace(): Promise<Place> {
  const repository = makeRepository();
  const worktrees = join(repository.around, "state");
  const plan = { ...(await makePlan()), root: repository.path, worktreesFolder: async () => worktrees };
  await addInbox(plan);
  const rig = planningRig(plan);
  const folder = join(worktrees, "planning");
  for (const run of ["RUN-001", "RUN-002"]) {
    must(await rig.plan(request()));
    expect(await addWorktree(repository.path, join(folder, run), "HEAD")).toEqual({ ok: true });
  }
  return { repository, plan, folder };
}

const drive = (plan: TestPlan, run: string, forMs: number) =>
  act(plan, "plan-step", async (writer, at) => {
    const item = await writer.item("run", run);
    const driver = { by: `here/1#${run}`, until: at + forMs };
    return ok({ sentence: "", changes: item ? changeItem(item, { driver }) : [], value: null });
  });

const known = ({ repository }: Place): number => repository.git("worktree", "list").split("\n").length - 1;

it("removes the folders that no run uses, and what git knows of them", async () => {
  const place = await openPlace();
  must(await drive(place.plan, "RUN-001", 100_000));
  write(place.folder, { "gone-0a-RUN-003/x": "x", "RUN-004.repository": "x", "yours/x": "x" });
  const before = await place.plan.store.read((reader) => reader.lastOperation());
  await removeReadingFolders(place.plan, { process: "here/1", isAlive: () => true });
  expect(readdirSync(place.folder).sort()).toEqual(["RUN-001", "RUN-001.repository", "yours"]);
  expect([known(place), await place.plan.store.read((reader) => reader.lastOperation())]).toEqual([1, before]);
  await removeReadingFolders(place.plan, { process: "here/1", isAlive: () => false });
  expect([readdirSync(place.folder), known(place)]).toEqual([["yours"], 0]);
});

it("removes one whose lease has ended, although a process with its number runs", async () => {
  const place = await openPlace();
  must(await drive(place.plan, "RUN-001", 1_000));
  place.plan.pass(2_000);
  await removeReadingFolders(place.plan, { process: "here/1", isAlive: () => true });
  expect(readdirSync(place.folder)).toEqual([]);
});

it("leaves alone what this very process uses, until it lets go", async () => {
  const place = await openPlace();
  const path = await takeReadingFolder(place.plan, "RUN-002", PROGRAMS);
  await removeReadingFolders(place.plan, { process: "here/1", isAlive: () => false });
  expect([readdirSync(place.folder).sort(), known(place)]).toEqual([["RUN-002", "RUN-002.repository"], 1]);
  letGoOfReadingFolder(path);
  await removeReadingFolders(place.plan, { process: "here/1", isAlive: () => false });
  expect([existsSync(path), known(place)]).toEqual([false, 0]);
});

it("is not begun in while a program that runs removes some, and what a killed one left stops nobody", async () => {
  const place = await openPlace();
  const [running, killed] = ["here%2F2", "here%2F3"].map((driver) => join(place.folder, `removing-${driver}-1`));
  for (const mark of [running, killed]) writeFileSync(mark as string, "");
  let isTaken = false;
  const taking = takeReadingFolder(place.plan, "RUN-001", PROGRAMS).then((path) => {
    isTaken = true;
    return path;
  });
  await expect.poll(() => readdirSync(place.folder).filter((name) => name.startsWith("removing"))).toHaveLength(1);
  expect(isTaken).toBe(false);
  rmSync(running as string);
  letGoOfReadingFolder(await taking);
});

it("makes git forget one whose folder is gone", async () => {
  const place = await openPlace();
  rmSync(place.folder, { recursive: true });
  await removeReadingFolders(place.plan, { process: "here/1", isAlive: () => false });
  expect(known(place)).toBe(0);
});

it("works without git", async () => {
  const place = await openPlace();
  const root = join(place.repository.around, "plain");
  mkdirSync(root);
  await removeReadingFolders({ ...place.plan, root }, { process: "here/1", isAlive: () => false });
  expect(readdirSync(place.folder).filter((name) => !name.endsWith(".repository"))).toEqual([]);
});
