import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository, write } from "../../../test/git-repository.js";
import { git } from "./git.js";
import { safeConfigFrom, withSafeConfig } from "./safe-config.js";

it("keeps who somebody is and how they write files, and nothing that names a command", () => {
  const entries = [
    ["system", "core.autocrlf\ntrue"],
    ["global", 'user.name\nAda "the first" \\ Lovelace'],
    ["global", "core.symlinks"],
    ["global", "filter.lfs.process\ngit-lfs filter-process"],
    ["global", "filter.lfs.clean\nsh -c 'id; git-lfs clean -- %f'"],
    ["global", "filter.x.clean\nid"],
    ["global", "core.sshcommand\nid"],
    ["global", "include.path\n/tmp/x"],
    ["local", "user.email\nada@example.org"],
  ];
  expect(safeConfigFrom(entries.flat().join("\0").concat("\0"))).toBe(
    [
      "[user]",
      '\tname = "Ada \\"the first\\" \\\\ Lovelace"',
      "[core]",
      "\tsymlinks",
      '[filter "lfs"]',
      '\tprocess = "git-lfs filter-process"',
      "",
    ].join("\n"),
  );
  expect(safeConfigFrom("")).toBe("\n");
});

/** A user with a config file in a home folder of their own. */
function withHome(home: string): { config: string } {
  const before = { ...process.env };
  onTestFinished(() => {
    process.env = before;
  });
  const identity = ["AUTHOR", "COMMITTER"].flatMap((who) => [`GIT_${who}_NAME`, `GIT_${who}_EMAIL`]);
  process.env = { ...before, HOME: home, XDG_CONFIG_HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  for (const name of [...identity, "GIT_CONFIG_GLOBAL", "EMAIL"]) delete process.env[name];
  return { config: join(home, ".gitconfig") };
}

it("an engine's git runs no filter from the home folder, and commits as the user who started it", async () => {
  const { path, around, git: plain } = makeRepository({ ".gitattributes": "* filter=x\n" });
  const { config } = withHome(around);
  writeFileSync(config, "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  const running = join(around, "running");
  await withSafeConfig(running, async () => {
    const filter = join(around, "filter.sh");
    write(around, { "filter.sh": `#!/bin/sh\ntouch ${around}/ran\ncat\n` });
    chmodSync(filter, 0o755);
    writeFileSync(config, `[user]\n\tname = Eve\n\temail = eve@example.org\n[filter "x"]\n\tclean = ${filter}\n`);
    write(path, { "new.txt": "new\n" });
    await git(path, ["add", "new.txt"]);
    await git(path, ["commit", "-m", "x"], { commits: true });
    expect(existsSync(join(around, "ran"))).toBe(false);
    expect(plain("log", "-1", "--format=%an %ae %cn %ce")).toBe("Ada ada@example.org Ada ada@example.org");
    // The repository's own settings come first, as always.
    plain("config", "user.name", "Grace");
    await git(path, ["commit", "--allow-empty", "-m", "y"], { commits: true });
    expect(plain("log", "-1", "--format=%an %ae")).toBe("Grace ada@example.org");
  });
  expect(readFileSync(config, "utf8")).toContain("Eve");
  expect(readdirSync(running)).toEqual([]);
});

it("two workspaces in one process commit with the settings of their own", async () => {
  const [one, two] = [makeRepository(), makeRepository()];
  const { config } = withHome(one.around);
  write(one.around, { work: "[user]\n\temail = ada@work.example\n" });
  const condition = `[includeIf "gitdir:${two.path}/"]\n\tpath = ${join(one.around, "work")}\n`;
  writeFileSync(config, `[user]\n\tname = Ada\n\temail = ada@home.example\n${condition}`);
  const commit = ({ path, git: plain }: typeof one): Promise<string> =>
    withSafeConfig(join(path, ".planwright"), async () => {
      for (const n of [1, 2, 3]) await git(path, ["commit", "--allow-empty", "-m", `${n}`], { commits: true });
      return plain("log", "-3", "--format=%ae");
    });
  const emails = await Promise.all([commit(one), commit(two)]);
  expect(emails.map((each) => [...new Set(each.split("\n"))])).toEqual([["ada@home.example"], ["ada@work.example"]]);
});

it("removes copies that killed programs have left", async () => {
  const { around, path } = makeRepository();
  write(around, { "999999999-x.gitconfig": "", [`${process.pid}-y.gitconfig`]: "", other: "" });
  await withSafeConfig(around, async () => {});
  const names = readdirSync(around).filter((name) => name !== basename(path));
  expect(names.sort()).toEqual([`${process.pid}-y.gitconfig`, "other"].sort());
});
