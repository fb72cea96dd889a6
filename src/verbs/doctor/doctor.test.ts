import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn, makeRepository, type TestRepository, write } from "../../../test/git-repository.js";
import { must } from "../../../test/plan.js";
import { SECRET } from "../../../test/secret.js";
import { settingsHash } from "../../config/trust.js";
import type { Result } from "../../model/result.js";
import { connect } from "../../store/dialects/sqlite/driver.js";
import { App } from "../app.js";
import { type Diagnosis, EXAMINATIONS, type HealthFinding } from "./doctor.js";

const env = (repository: TestRepository) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: join(repository.around, "home"),
  XDG_STATE_HOME: join(repository.around, "state"),
  PLANWRIGHT_SECRET: SECRET,
  PLANWRIGHT_TRUST: settingsHash(repository.path),
});

async function planned(prepare: (repository: TestRepository) => unknown = () => undefined): Promise<TestRepository> {
  const repository = makeRepository();
  const app = new App({ folder: repository.path, actor: "human:ada", env: env(repository) });
  must(await app.call("init", {}));
  await app.close();
  prepare(repository);
  return repository;
}

async function examined(
  repository: TestRepository,
  input: { verify?: boolean } = {},
): Promise<ReadonlyMap<string, HealthFinding>> {
  const app = new App({ folder: repository.path, actor: "human:ada", env: env(repository) });
  const answer: Result<Diagnosis> = await app.call("doctor", input);
  await app.close();
  const { findings } = answer.ok ? answer.value : (answer.error.details as unknown as Diagnosis);
  expect(answer.ok).toBe(findings.every(({ state }) => state !== "problem"));
  return new Map(findings.map((finding) => [finding.subject, finding]));
}

const hook = (folder: string, name: string): void => {
  write(folder, { [name]: "#!/bin/sh\n" });
  chmodSync(join(folder, name), 0o755);
};

function replaceStore({ path }: TestRepository, change: (stored: Buffer) => Buffer | null): void {
  const file = join(path, ".planwright/plan.db");
  const changed = change(readFileSync(file));
  for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true });
  if (changed) writeFileSync(file, changed);
}

describe("doctor", () => {
  it("examines every subject of a healthy workspace and finds no problem", async () => {
    const found = await examined(await planned());
    expect([...found.keys()]).toEqual(Object.keys(EXAMINATIONS));
    expect([...found.values()].filter(({ state }) => state === "problem")).toEqual([]);
    expect(found.get("main branch")?.message).toBe("work lands on main (by what init saw)");
  });

  it.each<[string, (repository: TestRepository) => unknown, string, Partial<HealthFinding>]>([
    [
      "a main branch that is gone",
      (r) => r.git("branch", "-m", "other"),
      "main branch",
      { state: "problem", message: expect.stringContaining("There is no branch main") as string },
    ],
    [
      "settings that nobody can read",
      (r) => write(r.path, { "planwright.json": '{"leaseMinutes":"long"}' }),
      "configuration",
      { state: "problem", fix: "Correct planwright.json, or remove the setting from it." },
    ],
    [
      "a store that is no store",
      (r) => replaceStore(r, () => Buffer.from("junk".repeat(1000))),
      "store",
      { state: "problem", message: expect.stringContaining("plan.db") as string },
    ],
    [
      "a store that is empty",
      (r) => replaceStore(r, () => Buffer.alloc(0)),
      "store",
      { state: "problem", message: expect.stringContaining("but the file is empty. Restore a backup") as string },
    ],
    [
      "a store that is gone",
      (r) => replaceStore(r, () => null),
      "store",
      { state: "problem", message: expect.stringContaining("but the file is gone. Restore a backup") as string },
    ],
    [
      "the database of another program",
      (r) =>
        replaceStore(r, (stored) => {
          // Where SQLite keeps the number of the program.
          stored.writeUInt32BE(7, 68);
          return stored;
        }),
      "store",
      { state: "problem", message: expect.stringContaining("it is the database of another program") as string },
    ],
    [
      "a worker that is not installed",
      (r) =>
        write(r.path, {
          "planwright.json": '{"agents":{"mine":{"command":"no-such-agent"}},"roles":{"worker":{"agent":"mine"}}}',
        }),
      "agents",
      { state: "problem", message: expect.stringContaining("roles.worker is mine, which is not installed") as string },
    ],
    [
      "a sandbox that is off",
      (r) => write(r.path, { "planwright.json": '{"execution":{"sandbox":"off"}}' }),
      "sandbox",
      { state: "note", fix: "Set execution.sandbox to auto." },
    ],
    [
      "hooks",
      (r) => ["pre-commit", "commit-msg", "post-commit"].forEach((name) => hook(join(r.path, ".git/hooks"), name)),
      "hooks",
      { state: "note", message: expect.stringContaining("pre-commit, commit-msg") as string },
    ],
    [
      "hooks in a folder of the project",
      (r) => {
        hook(join(r.path, ".husky"), "pre-commit");
        r.git("config", "core.hooksPath", ".husky");
      },
      "hooks",
      { state: "note", message: expect.stringContaining("pre-commit") as string },
    ],
    [
      "a feature's branch that was deleted",
      (r) => r.git("update-ref", "refs/planwright/accepted/FEAT-A", "HEAD"),
      "branches",
      {
        state: "note",
        message: "planwright/feature/FEAT-A was deleted before landing; the accepted work is kept",
        next: [{ operation: "land", input: { reference: "FEAT-A" } }],
      },
    ],
    [
      "commits that git signs and Planwright does not",
      (r) => {
        r.git("config", "commit.gpgSign", "true");
        write(r.path, { "planwright.json": '{"git":{"signing":"off"}}' });
      },
      "signing",
      { state: "note", fix: "Set git.signing to auto to sign them." },
    ],
    [
      "a daemon that died",
      (r) => write(r.path, { ".planwright/daemon.json": '{"pid":1,"began":"before","startedAt":"then","log":null}' }),
      "daemon",
      { state: "problem", message: "process 1 died" },
    ],
    [
      "a plan that others may change",
      (r) => chmodSync(join(r.path, ".planwright/plan.db"), 0o666),
      "permissions",
      { state: "note", fix: expect.stringContaining("chmod go-w") as string },
    ],
    [
      "worktrees from before they moved",
      (r) => mkdirSync(join(r.path, ".planwright/worktrees/ATT-00001"), { recursive: true }),
      "leftovers",
      { state: "note", message: "a worktree in the checkout: .planwright/worktrees/ATT-00001" },
    ],
  ])("says how to fix %s, and examines the rest all the same", async (_, prepare, subject, expected) => {
    const found = await examined(await planned(prepare));
    expect(found.get(subject)).toMatchObject(expected);
    expect(found.size).toBe(Object.keys(EXAMINATIONS).length);
  });

  it("finds submodules that are not initialised", async () => {
    const library = makeRepository();
    const repository = await planned((r) => {
      r.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.path, "lib");
      r.git("commit", "-qm", "library");
      gitIn(r.path, "submodule", "deinit", "-q", "lib");
    });
    const found = await examined(repository);
    expect(found.get("submodules")).toMatchObject({ state: "note", fix: "Run git submodule update --init." });
  });

  it("reads the whole log only when it is asked to", async () => {
    const repository = await planned((r) => {
      const database = connect(join(r.path, ".planwright/plan.db"), "auto");
      database.exec("update node set title = 'Another' where id = 'MISSION'");
      database.close();
    });
    expect((await examined(repository)).get("store")).toMatchObject({ state: "ok" });
    expect((await examined(repository, { verify: true })).get("store")).toMatchObject({ state: "problem" });
  });

  it("works where there is neither a plan nor a repository", async () => {
    const repository = makeRepository();
    rmSync(join(repository.path, ".git"), { recursive: true });
    const found = await examined(repository);
    expect(found.get("repository")).toMatchObject({ state: "note" });
    expect(found.get("store")).toMatchObject({ state: "note", message: "there is no plan here" });
  });
});
