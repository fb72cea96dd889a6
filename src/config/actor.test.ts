import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SECRET } from "../../test/secret.js";
import { type Caller, identifyCaller } from "./actor.js";
import { findSecret, makeSecret, secretFile } from "./person.js";

const ROOT = "/workspace";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-person-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const who = (env: Caller["env"], more: Partial<Caller> = {}): string => {
  const { actor, proof } = identifyCaller({ actor: undefined, env, ...more }, ROOT);
  return `${actor} by ${proof.kind}`;
};

describe("the actor", () => {
  const person = { PLANWRIGHT_SECRET: SECRET, USER: "ada" };
  const typed = { isAtTerminal: () => true };

  it.each<[string, string, Caller["env"], Partial<Caller>]>([
    ["the flag", "agent:x by none", { PLANWRIGHT_ACTOR: "agent:named" }, { actor: "agent:x" }],
    ["the variable", "agent:named by none", { PLANWRIGHT_ACTOR: "agent:named" }, {}],
    ["the user with the secret", "human:ada by secret", person, {}],
    ["the user at a terminal", "human:ada by terminal", { USER: "ada" }, typed],
    ["the name that Windows knows", "human:Ada-Lovelace by terminal", { USERNAME: "Ada Lovelace" }, typed],
    ["nobody known, without either", "agent:unknown by none", { USER: "ada" }, {}],
    ["the agent that runs the command", "agent:codex by none", { CODEX_SANDBOX: "1", USER: "ada" }, typed],
    ["not an agent whose variable is empty", "human:ada by terminal", { CODEX_SANDBOX: "", USER: "ada" }, typed],
    ["a person by name, with the secret", "human:bob by secret", person, { actor: "human:bob" }],
    ["no person by name alone", "human:bob by none", { USER: "ada" }, { actor: "human:bob" }],
    ["no person at an agent's terminal", "human:ada by none", { CLAUDECODE: "1" }, { ...typed, actor: "human:ada" }],
    [
      "no person in a worker that names itself otherwise",
      "human:ada by none",
      { PLANWRIGHT_ACTOR: "human:ada", PLANWRIGHT_ATTEMPT: "ATT-00001" },
      typed,
    ],
    [
      "no person in what a check starts",
      "human:ada by none",
      { PLANWRIGHT_ACTOR: "human:ada", PLANWRIGHT_CHILD: "x" },
      typed,
    ],
    ["no person in a worker", "human:ada by none", { PLANWRIGHT_ACTOR: "agent:A" }, { ...typed, actor: "human:ada" }],
    [
      "a person in an agent with the secret",
      "human:ada by secret",
      { ...person, CLAUDECODE: "1" },
      { actor: "human:ada" },
    ],
    ["not a person with a bad secret", "agent:unknown by none", { PLANWRIGHT_SECRET: "letmein" }, {}],
  ])("is %s: %s", (_, expected, env, more) => {
    expect(who(env, more)).toBe(expected);
  });

  it("is a person with the secret's file, but not inside an agent", () => {
    const env = { PLANWRIGHT_CONFIG: newFolder(), USER: "ada" };
    expect(makeSecret(env, ROOT)).toBe(secretFile(env));
    expect(who(env)).toBe("human:ada by secret");
    expect(who({ ...env, CLAUDECODE: "1" }, { actor: "human:ada" })).toBe("human:ada by none");
  });
});

describe("the secret", () => {
  it("is made once, for its owner alone", () => {
    const env = { XDG_CONFIG_HOME: newFolder() };
    const path = makeSecret(env, ROOT) as string;
    expect(path).toBe(join(env.XDG_CONFIG_HOME, "planwright/secret"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const before = readFileSync(path, "utf8");
    expect(makeSecret(env, ROOT)).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(findSecret(env, ROOT)).toEqual({ kind: "found", secret: before.trim(), others: [], from: "file" });
  });

  it("is looked for below the home folder", () => {
    expect(secretFile({ HOME: "/home/ada" })).toBe("/home/ada/.config/planwright/secret");
    expect(secretFile({})).toBeUndefined();
    expect(makeSecret({}, ROOT)).toBeUndefined();
    expect(makeSecret({ HOME: import.meta.filename }, ROOT)).toBeUndefined();
  });

  it("does not count where others can read it, where agents work, or when it is something else", () => {
    const folder = newFolder();
    const env = { PLANWRIGHT_CONFIG: join(folder, "config") };
    const problem = (root = ROOT): string => {
      const found = findSecret(env, root);
      return found.kind === "unusable" ? found.problem : found.kind;
    };
    const path = makeSecret(env, ROOT) as string;
    expect(problem(folder)).toContain("is inside this workspace");
    expect(makeSecret({ PLANWRIGHT_CONFIG: join(folder, "other") }, folder)).toBeUndefined();
    chmodSync(path, 0o644);
    expect(problem()).toContain(`may be read by others. Type: chmod 600 ${path}`);
    chmodSync(path, 0o600);
    writeFileSync(path, "letmein\n");
    expect(problem()).toContain("must hold 64 hexadecimal digits");
    rmSync(path);
    mkdirSync(path, { mode: 0o700 });
    expect(problem()).toContain("cannot be read");
  });
});
