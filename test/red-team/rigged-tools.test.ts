// Threat: a worker replaces a carried program in its own worktree, so that its checks pass whatever it did.

import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findRepository } from "../../src/machine/git/repository.js";
import { write } from "../git-repository.js";
import { fileTask, openShop, type Shop } from "../shop.js";

const TOOL = "node_modules/tool.sh";
const HONEST = "echo $PWD >> $PLANWRIGHT_RAN; grep -q right one.txt\n";
const RIGGED = "true".padEnd(HONEST.length - 1, " ").concat("\n");

async function afterWork(does: (tree: string) => unknown): Promise<{ shop: Shop; ran: () => string[] }> {
  const shop = await openShop([fileTask("one", { checks: [{ run: `sh ${TOOL}` }] })], {
    files: { ".gitignore": ".planwright\nnode_modules/\n" },
    policy: { carry: ["node_modules"], fixes: 0, logicRetries: 0, proof: "note", env: ["PLANWRIGHT_RAN"] },
    doing: ({ cwd }) => {
      does(cwd);
      return {};
    },
  });
  write(shop.repository.path, { [TOOL]: HONEST, "node_modules/left/index.js": "left" });
  const log = join(shop.repository.around, "ran");
  const env = { ...process.env, PLANWRIGHT_RAN: log };
  Object.assign(shop.services, { env });
  await shop.workThrough();
  return { shop, ran: () => readFileSync(log, "utf8").trim().split("\n") };
}

const outcome = async ({ plan }: Shop) =>
  (await plan.store.read((reader) => reader.byIds(["T-one"])))[0]?.outcome?.kind ?? null;

it.each<[string, (tree: string) => unknown]>([
  ["replaces the tool", (tree) => write(tree, { [TOOL]: RIGGED })],
  [
    "replaces it with one of the same size and time",
    (tree) => {
      const { atime, mtime } = statSync(join(tree, TOOL));
      writeFileSync(join(tree, TOOL), RIGGED);
      utimesSync(join(tree, TOOL), atime, mtime);
    },
  ],
  [
    "replaces it and removes what the set-up noted",
    (tree) => {
      write(tree, { [TOOL]: RIGGED });
      const gitDir = findRepository(tree)?.gitDir ?? "";
      expect(readdirSync(gitDir)).toContain("planwright-stamp.json");
      rmSync(join(gitDir, "planwright-stamp.json"));
    },
  ],
])("a worker with wrong work that %s is not accepted", async (_, rig) => {
  const { shop } = await afterWork((tree) => {
    write(tree, { "one.txt": "wrong\n" });
    rig(tree);
  });
  expect(await outcome(shop)).toBeNull();
  const [attempt] = await shop.attempts();
  expect(attempt?.merged ?? null).toBeNull();
  expect(readFileSync(join(shop.repository.path, TOOL), "utf8")).toBe(HONEST);
});

it("no check runs in the worker's worktree, whether it touched the tools or not", async () => {
  for (const touched of [false, true]) {
    const { shop, ran } = await afterWork((tree) => {
      write(tree, { "one.txt": "right\n", ...(touched && { "node_modules/left/index.js": "another" }) });
    });
    expect(await outcome(shop)).toBe("done");
    expect(ran().filter((cwd) => !cwd.endsWith("slot-1-checks"))).toEqual([]);
  }
});
