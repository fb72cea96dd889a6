// What an agent needs to sign in, copied from the person's home folder into that of a sandbox: of that one agent, and nothing else.
// Of its settings only which model it asks, where that is, and how it signs in. Sessions and what other agents have stay outside. A login that had to be renewed meanwhile goes back, as data.

import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "../../base/json.js";
import { realPath } from "../../base/paths.js";
import { findPlainFile } from "../../base/plain-file.js";
import type { Environment } from "../process/environment.js";
import { jsonPart, tomlPart, variablesPart } from "./settings-part.js";

type Json = Record<string, unknown>;

interface Login {
  /** Below the agent's folder. */
  readonly name: string;
  /** What of it comes along; without it all, because all of it is the login. */
  readonly part?: (text: string) => string | undefined;
  readonly renewal?: Renewal;
}

/** How a login is renewed while it is used. */
interface Renewal {
  /** The object that holds the tokens. */
  readonly tokens: (login: Json) => Json | undefined;
  /** What of it is replaced. */
  readonly fields: readonly string[];
  /** What is replaced beside them. */
  readonly beside?: readonly string[];
  /** In milliseconds: until when the login can be used as it is. */
  readonly ends: (tokens: Json, login: Json) => number;
}

interface AgentLogin {
  /** The folder, below the home folder, and the variable that names another one. */
  readonly folder: string;
  readonly variable: string;
  /** Beside the usual folder, but inside of the one that the variable names. */
  readonly beside?: Login;
  readonly files: readonly Login[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const asRecord = (value: unknown): Json | undefined => (isRecord(value) ? value : undefined);
const asTime = (value: unknown): number => (typeof value === "number" ? value : Number.POSITIVE_INFINITY);

/** The time of `exp` in a token that says it. */
function endOfToken(token: unknown): number {
  if (typeof token !== "string") return Number.POSITIVE_INFINITY;
  const said = asRecord(parsed(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()));
  return asTime(said?.["exp"]) * 1000;
}

const WEEK_MS = 7 * 86_400_000;

function weekAfter(time: unknown): number {
  const at = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at + WEEK_MS;
}

const GOOGLE: Renewal = {
  tokens: (login) => login,
  fields: ["access_token", "refresh_token", "id_token", "expiry_date"],
  ends: ({ expiry_date }) => asTime(expiry_date),
};

const words = (text: string): readonly string[] => text.split(/\s+/);

const SETTINGS = jsonPart(words("security selectedAuthType model general privacy"));

/** A provider says itself how one signs in there, with a command of its own even, which then runs inside. */
const CODEX = tomlPart(
  words(`model model_provider model_providers model_reasoning_effort model_context_window preferred_auth_method
    forced_login_method forced_chatgpt_workspace_id cli_auth_credentials_store chatgpt_base_url openai_base_url profile profiles
    features analytics`),
);

const OPENCODE = jsonPart(
  words("$schema provider model small_model enabled_providers disabled_providers autoupdate share"),
);

/** Its versions spell them in two ways. */
const COPILOT = jsonPart(
  words(`auth_tokens authTokens copilot_tokens copilotTokens last_logged_in_user lastLoggedInUser logged_in_users loggedInUsers
    store_token_plaintext storeTokenPlaintext model`),
);

const LOGINS: Readonly<Record<string, readonly AgentLogin[]>> = {
  claude: [
    {
      folder: ".claude",
      variable: "CLAUDE_CONFIG_DIR",
      beside: {
        name: ".claude.json",
        part: jsonPart(words("oauthAccount userID hasCompletedOnboarding customApiKeyResponses primaryApiKey")),
      },
      files: [
        {
          name: ".credentials.json",
          renewal: {
            tokens: ({ claudeAiOauth }) => asRecord(claudeAiOauth),
            fields: ["accessToken", "refreshToken", "expiresAt"],
            ends: ({ expiresAt }) => asTime(expiresAt),
          },
        },
      ],
    },
  ],
  codex: [
    {
      folder: ".codex",
      variable: "CODEX_HOME",
      files: [
        {
          name: "auth.json",
          renewal: {
            tokens: ({ tokens }) => asRecord(tokens),
            fields: ["id_token", "access_token", "refresh_token"],
            beside: ["last_refresh"],
            // It renews a login that is a week old, whatever the token says.
            ends: ({ access_token }, { last_refresh }) => Math.min(endOfToken(access_token), weekAfter(last_refresh)),
          },
        },
        // It says which provider has the model.
        { name: "config.toml", part: CODEX },
      ],
    },
  ],
  copilot: [{ folder: ".copilot", variable: "COPILOT_HOME", files: [{ name: "config.json", part: COPILOT }] }],
  gemini: [
    {
      folder: ".gemini",
      variable: "GEMINI_CONFIG_DIR",
      files: [
        { name: "oauth_creds.json", renewal: GOOGLE },
        { name: "google_accounts.json" },
        { name: "installation_id" },
        { name: "settings.json", part: SETTINGS },
        { name: ".env", part: variablesPart(/^(?:GEMINI|GOOGLE)_/) },
      ],
    },
  ],
  opencode: [
    {
      folder: ".local/share/opencode",
      variable: "",
      files: [{ name: "auth.json" }],
    },
    {
      folder: ".config/opencode",
      variable: "OPENCODE_CONFIG_DIR",
      files: [
        { name: "opencode.json", part: OPENCODE },
        { name: "opencode.jsonc", part: OPENCODE },
      ],
    },
  ],
  qwen: [
    {
      folder: ".qwen",
      variable: "QWEN_CONFIG_DIR",
      files: [
        { name: "oauth_creds.json", renewal: GOOGLE },
        { name: "settings.json", part: SETTINGS },
        { name: ".env", part: variablesPart(/^(?:QWEN|OPENAI|DASHSCOPE)_/) },
      ],
    },
  ],
};

/** A sandbox has the usual folders, so these lead nowhere. */
export const SIGN_IN_VARIABLES: readonly string[] = Object.values(LOGINS)
  .flat()
  .flatMap(({ variable }) => (variable === "" ? [] : [variable]));

interface Place {
  readonly login: Login;
  /** Outside. */
  readonly from: string;
  /** Below the home folder inside. */
  readonly to: string;
}

function placesOf(agent: string, env: Environment): Place[] {
  const { HOME: home, XDG_DATA_HOME: data, XDG_CONFIG_HOME: config } = env;
  const known = Object.hasOwn(LOGINS, agent) ? (LOGINS[agent] ?? []) : [];
  return known.flatMap(({ folder, variable, beside, files }) => {
    const named = env[variable];
    const base = folder.startsWith(".config/") ? config : folder.startsWith(".local/share/") ? data : undefined;
    const usual = base === undefined ? home && join(home, folder) : join(base, folder.split("/").at(-1) ?? "");
    const from = named || usual;
    if (!from) return [];
    const own = files.map((login): Place => ({ login, from: join(from, login.name), to: join(folder, login.name) }));
    if (beside === undefined) return own;
    return [...own, { login: beside, from: join(named || dirname(from), beside.name), to: beside.name }];
  });
}

/** An earlier worker may have left links that lead out of the folder. So this walks through plain folders only, and writes a new file. */
function putFile(home: string, to: string, text: string): void {
  const steps = to.split("/");
  for (let i = 1; i < steps.length; i++) {
    const folder = join(home, ...steps.slice(0, i));
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found && !found.isDirectory()) rmSync(folder, { force: true });
    if (!found?.isDirectory()) mkdirSync(folder, { mode: 0o700 });
  }
  const file = join(home, to);
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
}

/** A file below plain folders: a link anywhere on the way may lead to what is not the worker's. */
function isPlainFile(home: string, to: string): boolean {
  const steps = to.split("/");
  return steps.every((_, i) => {
    const found = lstatSync(join(home, ...steps.slice(0, i + 1)), { throwIfNoEntry: false });
    return i + 1 === steps.length ? found?.isFile() : found?.isDirectory();
  });
}

export interface SignIn {
  /** Gives back what was renewed: the files that were. */
  takeBack(now?: number): readonly string[];
}

/** Copies what an agent needs to sign in. `home`: what is the home folder inside. `env`: the person's own. */
export function bringSignIn(agent: string, env: Environment, home: string): SignIn {
  const brought = placesOf(agent, env).flatMap((place) => {
    const text = findPlainFile(place.from);
    const { part = (all: string) => all } = place.login;
    const content = text === undefined ? undefined : part(text);
    if (text === undefined || content === undefined) return [];
    putFile(home, place.to, content);
    return [{ ...place, text }];
  });
  return {
    takeBack: (now = Date.now()) =>
      brought.flatMap(({ login, from, to, text }) => {
        const { renewal } = login;
        const file = join(home, to);
        if (renewal === undefined || !isPlainFile(home, to)) return [];
        const fresh = renewed(renewal, text, findPlainFile(file) ?? "", now);
        // Another program renewed it meanwhile: that one is newer.
        if (fresh === undefined || findPlainFile(from) !== text) return [];
        replaceFile(from, fresh);
        return [from];
      }),
  };
}

/**
 * The login with new tokens, if it had to be renewed at all: its end was near. Everything else in it stays what it was. A worker that
 * works at just that time can put other tokens there, which docs/security.md says.
 */
function renewed({ tokens, fields, beside = [], ends }: Renewal, before: string, after: string, now: number) {
  const [old, found] = [asRecord(parsed(before)), asRecord(parsed(after))];
  const [had, has] = [old && tokens(old), found && tokens(found)];
  if (!old || !found || !had || !has || ends(had, old) > now + NEAR_MS) return undefined;
  const isChanged = fields.some((name) => had[name] !== has[name]);
  return isChanged && copy(had, has, fields) && copy(old, found, beside)
    ? `${JSON.stringify(old, null, 2)}\n`
    : undefined;
}

/** False if one of them is not what it was: a text or a number. */
function copy(to: Json, from: Json, names: readonly string[]): boolean {
  return names.every((name) => {
    if (typeof to[name] !== typeof from[name]) return false;
    to[name] = from[name];
    return true;
  });
}

/** Agents renew a login some minutes before its end. */
const NEAR_MS = 600_000;

/** Where the person keeps it, also behind a link. */
function replaceFile(link: string, text: string): void {
  const path = realPath(link);
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
