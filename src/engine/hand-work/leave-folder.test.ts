import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn } from "../../../test/git-repository.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop, type Shop, type ShopOptions } from "../../../test/shop.js";
import type { EngineEvent } from "../services.js";
import type { HandWorktree } from "./begin-hand-work.js";
import { type HandWork, openHandWork } from "./end-hand-work.js";

const KEPT = "refs/planwright/kept/ATT-00001";
const ONE = { reference: "T-one" };
const { signal } = new AbortController();

interface Desk extends HandWorktree {
  readonly shop: Shop;
  readonly work: HandWork;
  /** Called with everything that the engine says. */
  listen(to: (event: EngineEvent) => void): void;
  write(file: string, text: string): void;
}

async function openDesk(checks: readonly string[], options: ShopOptions = {}): Promise<Desk> {
  const shop = await openShop([fileTask("one", { checks: checks.map((run) => ({ run })) })], options);
  let heard: ((event: EngineEvent) => void) | undefined;
  const onEvent = (event: EngineEvent): void => heard?.(event);
  const work = openHandWork({ ...shop.services, onEvent }, shop.plan.as("human:ada"));
  const place = must(await work.begin(ONE, signal));
  return {
    ...place,
    shop,
    work,
    listen: (to) => {
      heard = to;
    },
    write: (file, text) => writeFileSync(join(place.worktree, file), text),
  };
}

describe("a folder in which somebody typed", () => {
  it("while the work was given back stays, and what was there before is kept", async () => {
    const desk = await openDesk(["true"]);
    desk.write("one.txt", "half\n");
    desk.listen((event) => {
      if (event.type === "end") desk.write("one.txt", "half and more\n");
    });
    expect(must(await desk.work.abandon(ONE))).toMatchObject({
      state: "released",
      worktree: desk.worktree,
      notHandedIn: ["one.txt"],
    });
    expect(readFileSync(join(desk.worktree, "one.txt"), "utf8")).toBe("half and more\n");
    expect(desk.shop.git("show", `${KEPT}:one.txt`)).toBe("half");
  });

  it("keeps commits that were made while the checks ran", async () => {
    const desk = await openDesk(["test -f one.txt"]);
    desk.write("one.txt", "right\n");
    desk.listen((event) => {
      if (event.type !== "line" || existsSync(join(desk.worktree, "two.txt"))) return;
      desk.write("two.txt", "two\n");
      gitIn(desk.worktree, "add", "-A");
      gitIn(desk.worktree, "commit", "-qm", "meanwhile");
    });
    const done = must(await desk.work.finish(ONE, signal));
    expect(done).toMatchObject({ state: "accepted", worktree: desk.worktree, notHandedIn: ["two.txt"] });
    expect(gitIn(desk.worktree, "rev-parse", "HEAD")).toBe(done.merged);
    expect(gitIn(desk.worktree, "status", "--porcelain")).toBe("?? two.txt");
    expect(gitIn(desk.worktree, "log", "-g", "--format=%s", "HEAD").split("\n")).toContain("meanwhile");
  });

  it("stays if it cannot be looked at", async () => {
    const desk = await openDesk(["test -f one.txt"]);
    desk.write("one.txt", "right\n");
    desk.listen((event) => {
      // Git would wait for it, so nobody knows what differs.
      if (event.type === "end") execFileSync("mkfifo", [join(desk.worktree, ".gitattributes")]);
    });
    expect(must(await desk.work.finish(ONE, signal))).toMatchObject({ state: "accepted", worktree: desk.worktree });
    expect(["one.txt", ".gitattributes"].map((file) => existsSync(join(desk.worktree, file)))).toEqual([true, true]);
  });
});

describe("a folder in which nobody typed", () => {
  it("goes, also with a repository of its own in it, once that is kept", async () => {
    const desk = await openDesk(["true"]);
    const inner = join(desk.worktree, "inner");
    mkdirSync(inner);
    gitIn(inner, "init", "-q");
    writeFileSync(join(inner, "deep.txt"), "deep\n");
    expect(must(await desk.work.abandon(ONE))).toMatchObject({ worktree: null, notHandedIn: [] });
    expect([existsSync(desk.worktree), desk.shop.git("show", `${KEPT}:inner/deep.txt`)]).toEqual([false, "deep"]);
  });
});

describe("checks of work by hand", () => {
  it("run beside the folder, with the dependencies of the main checkout and without files that git ignores", async () => {
    const checks = ["test -f modules/dep", "test ! -f modules/mine", "echo left > left.txt", "pwd; exit 1"];
    const files = { ".gitignore": ".planwright\nmodules\n" };
    const desk = await openDesk(checks, { files, policy: { carry: ["modules"] } });
    const { path: root } = desk.shop.repository;
    for (const folder of [root, desk.worktree]) mkdirSync(join(folder, "modules"));
    writeFileSync(join(root, "modules/dep"), "");
    desk.write("one.txt", "right\n");
    desk.write("modules/mine", "");
    const { state, checks: ran } = must(await desk.work.finish(ONE, signal));
    expect([state, ...ran.map(({ passed }) => passed)]).toEqual(["open", true, true, true, false]);
    expect(ran.at(-1)?.output.trim()).not.toBe(desk.worktree);
    expect(existsSync(join(desk.worktree, "left.txt"))).toBe(false);
    expect(existsSync(join(desk.worktree, "modules/mine"))).toBe(true);
  });

  it("leave the temporary folder of the person alone, also if no place for them can be made", async () => {
    const desk = await openDesk(["false"], { policy: { setup: ["test ! -f one.txt"] } });
    const note = join(desk.env["PLANWRIGHT_TMP"] ?? "", "note");
    writeFileSync(note, "mine\n");
    desk.write("one.txt", "right\n");
    expect(mustFail(await desk.work.finish(ONE, signal)).message).toContain("set-up command");
    expect(readFileSync(note, "utf8")).toBe("mine\n");
  });
});
