// Threat: a check, which runs code of the change, writes into carried packages, and a later check or the person's own checkout runs that.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharesBlocks } from "../../src/machine/worktrees/carried-copy.js";
import type { Check } from "../../src/model/node/node.js";
import { write } from "../git-repository.js";
import { needs } from "../needs.js";
import { needsSandbox, SANDBOX_MODES } from "../needs-sandbox.js";
import { must } from "../plan.js";
import { fileTask, openShop, type Shop } from "../shop.js";

const TOOL = "node_modules/tool/index.sh";
const FILES = { ".gitignore": ".planwright\nnode_modules/\n", "package-lock.json": "{}\n" };

async function shopWith(sandbox: "require" | "off", names: readonly string[], checks: readonly Check[]): Promise<Shop> {
  const shop = await openShop(
    names.map((name) => fileTask(name, { checks })),
    { files: FILES, policy: { sandbox, carry: ["node_modules"], fixes: 0, logicRetries: 0, proof: "off" } },
  );
  write(shop.repository.path, { [TOOL]: "exit 0\n" });
  return shop;
}

const copiesIn = ({ services }: Shop): string[] =>
  readdirSync(services.policy.worktrees).filter((name) => name.startsWith("carried-"));

describe.each(SANDBOX_MODES)("with the sandbox %s", (sandbox, needed) => {
  it("nothing that a check writes into a package reaches the checkout or another attempt", needed, async () => {
    const rig = { run: `echo 'exit 1' > ${TOOL} || true; echo x > node_modules/left.js || true` };
    const shop = await shopWith(
      sandbox,
      ["one", "two"],
      [{ run: `sh ${TOOL} && test ! -f node_modules/left.js` }, rig],
    );
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted", "accepted"]);
    expect(readFileSync(join(shop.repository.path, TOOL), "utf8")).toBe("exit 0\n");
    expect(existsSync(join(shop.repository.path, "node_modules/left.js"))).toBe(false);
  });

  it("a cache of a tool in carried packages can be written, and is empty for the next one", needed, async () => {
    const cache = "test ! -e node_modules/.cache/x && mkdir -p node_modules/.cache && echo x > node_modules/.cache/x";
    const shop = await shopWith(sandbox, ["one", "two"], [{ run: cache }]);
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted", "accepted"]);
  });

  it("no carried file is the same file as that of the checkout", needed, async () => {
    const shop = await shopWith(sandbox, ["one"], [{ run: `ls -i ${TOOL}` }]);
    await shop.workThrough();
    const [attempt] = await shop.attempts();
    expect(attempt?.state).toBe("accepted");
    const { ino, nlink } = statSync(join(shop.repository.path, TOOL));
    expect(nlink).toBe(1);
    expect(attempt?.checks[0]?.output).not.toContain(String(ino));
  });
});

const clones = await sharesBlocks(tmpdir());
const alone = needs(!clones, "this disk shares what is the same, so each worktree has a copy of its own");

describe("one copy serves all checks of the same lock files", alone, () => {
  it("and no check can write to it", needsSandbox, async () => {
    const shop = await shopWith("require", ["one", "two"], [{ run: `sh ${TOOL} && ! touch ${TOOL}` }]);
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted", "accepted"]);
    const [copy = "", ...others] = copiesIn(shop);
    expect(others).toEqual([]);
    expect(readFileSync(join(shop.services.policy.worktrees, copy, "tool/index.sh"), "utf8")).toBe("exit 0\n");
  });

  it("until these change", needsSandbox, async () => {
    const shop = await shopWith("require", ["one", "two"], [{ run: `sh ${TOOL}` }]);
    const engine = shop.engine({ workers: 1 });
    must(await engine.tick());
    await engine.oneEnded();
    const before = copiesIn(shop);
    write(shop.repository.path, { "node_modules/.package-lock.json": "{}", "node_modules/more/index.js": "" });
    await shop.workThrough(engine);
    expect(copiesIn(shop)).toHaveLength(before.length + 1);
  });
});
