// What of a person's agent comes into a sandbox, and what goes back.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository, write } from "../../../test/git-repository.js";
import { bringSignIn } from "./sign-in.js";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 19);

function place() {
  const { around } = makeRepository({});
  const [person, home] = [join(around, "person"), join(around, "inside")];
  for (const folder of [person, home]) mkdirSync(folder);
  return { around, person, home, env: { HOME: person } };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe("what comes along", () => {
  const EVERYTHING = {
    ".claude/.credentials.json": "{}",
    ".claude/settings.json": '{"hooks":{}}',
    ".claude/projects/a.jsonl": "what was said",
    ".claude.json": '{"oauthAccount":{"email":"a@b"},"mcpServers":{"x":{"env":{"TOKEN":"secret"}}},"projects":{}}',
    ".codex/auth.json": "{}",
    ".codex/config.toml": 'model = "x"\nnotify = ["evil"]\n[mcp_servers.x]\nenv = { TOKEN = "secret" }\n',
    ".codex/sessions/a.jsonl": "what was said",
    ".gemini/oauth_creds.json": "{}",
    ".gemini/settings.json": '{"security":{"auth":{}},"mcpServers":{"x":{"command":"y"}}}',
    ".gemini/.env": "GEMINI_API_KEY=k\nDATABASE=secret\n",
    ".qwen/.env": "OPENAI_API_KEY=k\nDATABASE=secret\n",
    ".copilot/config.json": '{"copilot_tokens":{"x":"t"},"trusted_folders":["/secret"],"mcpServers":{"x":"secret"}}',
    ".config/opencode/opencode.json":
      '{"model":"x","mcp":{"x":{"environment":{"T":"secret"}}},"plugin":["secret"]} // mine',
    ".config/opencode/plugin/x.js": "",
    ".local/share/opencode/auth.json": "{}",
    ".config/planwright/secret": "the secret",
    ".ssh/id_ed25519": "a key",
  };

  it.each([
    ["claude", [".claude.json", ".claude/.credentials.json"]],
    ["codex", [".codex/auth.json", ".codex/config.toml"]],
    ["gemini", [".gemini/.env", ".gemini/oauth_creds.json", ".gemini/settings.json"]],
    ["opencode", [".config/opencode/opencode.json", ".local/share/opencode/auth.json"]],
    ["copilot", [".copilot/config.json"]],
    ["qwen", [".qwen/.env"]],
    ["an-agent-of-yours", []],
  ])("%s signs in with its own files, and sees no others", (agent, expected) => {
    const { person, home, env } = place();
    write(person, EVERYTHING);
    bringSignIn(agent, env, home);
    expect(filesIn(home)).toEqual(expected);
    const texts = filesIn(home).map((file) => readFileSync(join(home, file), "utf8"));
    expect(texts.filter((text) => /secret|evil/.test(text))).toEqual([]);
  });

  it("of settings only what starts no program and holds no password", () => {
    const { person, home, env } = place();
    write(person, EVERYTHING);
    bringSignIn("claude", env, home);
    bringSignIn("gemini", env, home);
    expect(JSON.parse(readFileSync(join(home, ".claude.json"), "utf8"))).toEqual({ oauthAccount: { email: "a@b" } });
    expect(JSON.parse(readFileSync(join(home, ".gemini/settings.json"), "utf8"))).toEqual({ security: { auth: {} } });
  });

  it("from wherever the person keeps it, to the usual place", () => {
    const { around, person, home, env } = place();
    write(around, { "elsewhere/.credentials.json": "{}", "elsewhere/.claude.json": '{"userID":"7"}' });
    write(around, { "data/opencode/auth.json": "{}" });
    write(person, { ".claude/.credentials.json": "another" });
    bringSignIn("claude", { ...env, CLAUDE_CONFIG_DIR: join(around, "elsewhere") }, home);
    bringSignIn("opencode", { ...env, XDG_DATA_HOME: join(around, "data") }, home);
    expect(filesIn(home)).toEqual([".claude.json", ".claude/.credentials.json", ".local/share/opencode/auth.json"]);
    expect(readFileSync(join(home, ".claude/.credentials.json"), "utf8")).toBe("{}");
  });

  it("through no link that was left in the home folder inside", () => {
    const { around, person, home, env } = place();
    write(person, EVERYTHING);
    write(around, { "mine/.credentials.json": "mine", victim: "mine" });
    symlinkSync(join(around, "mine"), join(home, ".claude"));
    symlinkSync(join(around, "victim"), join(home, ".claude.json"));
    bringSignIn("claude", env, home);
    expect(readFileSync(join(around, "mine/.credentials.json"), "utf8")).toBe("mine");
    expect(readFileSync(join(around, "victim"), "utf8")).toBe("mine");
    expect(filesIn(home)).toEqual([".claude.json", ".claude/.credentials.json"]);
  });
});

describe("a login that was renewed", () => {
  const LOGIN = ".claude/.credentials.json";
  const login = (accessToken: unknown, expiresAt: number, more: object = {}): string =>
    JSON.stringify({
      claudeAiOauth: { accessToken, refreshToken: `for ${String(accessToken)}`, expiresAt, scopes: [] },
      ...more,
    });

  /** What the person has after the agent left that. */
  function after(before: string, left: string | null, meanwhile?: string) {
    const { person, home, env } = place();
    write(person, { [LOGIN]: before });
    const signIn = bringSignIn("claude", env, home);
    if (left === null) rmSync(join(home, LOGIN));
    else writeFileSync(join(home, LOGIN), left);
    if (meanwhile !== undefined) write(person, { [LOGIN]: meanwhile });
    const given = signIn.takeBack(NOW);
    return { given: given.length, has: readFileSync(join(person, LOGIN), "utf8") };
  }

  const OLD = login("old", NOW - HOUR, { kept: true });

  it("goes back: its tokens, and nothing else that stands there", () => {
    const { given, has } = after(OLD, login("new", NOW + HOUR, { planted: true }));
    expect(given).toBe(1);
    expect(JSON.parse(has)).toEqual({
      claudeAiOauth: { accessToken: "new", refreshToken: "for new", expiresAt: NOW + HOUR, scopes: [] },
      kept: true,
    });
  });

  it.each([
    ["it was still good", login("old", NOW + HOUR), login("new", NOW + 2 * HOUR), undefined],
    ["it is no JSON", OLD, "new", undefined],
    ["a token is something else", OLD, login({ $ref: "x" }, NOW + HOUR), undefined],
    ["nothing was renewed", OLD, OLD, undefined],
    ["it is gone", OLD, null, undefined],
    ["the person has signed in meanwhile", OLD, login("new", NOW + HOUR), login("mine", NOW + HOUR)],
  ])("stays inside if %s", (_, before, left, meanwhile) => {
    expect(after(before, left, meanwhile)).toEqual({ given: 0, has: meanwhile ?? before });
  });

  it("is not read through a link", () => {
    const { around, person, home, env } = place();
    write(person, { [LOGIN]: OLD });
    const signIn = bringSignIn("claude", env, home);
    write(around, { other: login("theirs", NOW + HOUR) });
    rmSync(join(home, LOGIN));
    symlinkSync(join(around, "other"), join(home, LOGIN));
    expect(signIn.takeBack(NOW)).toEqual([]);
    expect(existsSync(join(person, LOGIN))).toBe(true);
  });

  it("of Codex is known by the time in its token", () => {
    const { person, home, env } = place();
    const token = (ends: number) => `x.${Buffer.from(JSON.stringify({ exp: ends / 1000 })).toString("base64url")}.x`;
    const auth = (ends: number) => JSON.stringify({ tokens: { access_token: token(ends), account_id: "7" } });
    write(person, { ".codex/auth.json": auth(NOW) });
    const signIn = bringSignIn("codex", env, home);
    writeFileSync(join(home, ".codex/auth.json"), auth(NOW + HOUR));
    expect(signIn.takeBack(NOW)).toEqual([join(person, ".codex/auth.json")]);
    expect(JSON.parse(readFileSync(join(person, ".codex/auth.json"), "utf8"))).toEqual(JSON.parse(auth(NOW + HOUR)));
  });
});
