// The hosts that this program can be installed into: where each keeps its settings, and what it gets there.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import type { Environment } from "../../machine/process/environment.js";
import type { JsonEntry } from "./json-entries.js";
import { type OwnProgram, withProgram } from "./own-program.js";
import { MARKDOWN, type Marks, TOML } from "./text-chunk.js";

export const HOST_NAMES = ["claude", "codex", "gemini", "opencode", "cursor", "copilot", "agents-md"] as const;
export type HostName = (typeof HOST_NAMES)[number];

/** `project`: for everybody who works on it. `user`: for you, in every project. */
export const INSTALL_SCOPES = ["project", "user"] as const;
export type InstallScope = (typeof INSTALL_SCOPES)[number];

export interface InstallSite {
  readonly scope: InstallScope;
  /** The project's root, or your home folder. */
  readonly base: string;
  readonly env: Environment;
  readonly program: OwnProgram;
}

export interface HostDeclaration {
  readonly label: string;
  readonly command: string | null;
  readonly scopes: readonly InstallScope[];
  placements(site: InstallSite): Placement[];
  /** What is left for you to do. One sentence. */
  readonly afterwards: string | null;
}

/** The first is the one unless you say otherwise. */
const FOR_YOU: readonly InstallScope[] = ["user", "project"];
const FOR_PROJECT: readonly InstallScope[] = ["project", "user"];

/** The path of a folder: from a variable of the host, or below the base. */
const configOf = ({ scope, base, env }: InstallSite, folder: string, variable?: string): string =>
  (scope === "user" && variable !== undefined && env[variable]) || join(base, folder);

/** Files of our own, from a folder of the package. JSON is adapted to how this program is started. */
const ownFiles = (folder: string, to: string, program: OwnProgram): Placement[] =>
  hostTexts(folder).map(([path, text]) => ({ kind: "file", path: join(to, path), text: adapted(path, text, program) }));

const adapted = (path: string, text: string, program: OwnProgram): string =>
  path.endsWith(".json") && program.words.length > 1
    ? `${JSON.stringify(withProgram(JSON.parse(text), program), null, 2)}\n`
    : text;

const entries = (path: string, texts: string, program: OwnProgram): Placement => {
  const read = JSON.parse(hostText(texts)) as { entries: JsonEntry[] };
  const adaptedEntries = read.entries.map((entry) => ({ ...entry, value: withProgram(entry.value, program) }));
  return { kind: "entries", path, entries: adaptedEntries };
};

export const HOSTS: Readonly<Record<HostName, HostDeclaration>> = {
  claude: {
    label: "Claude Code",
    command: "claude",
    scopes: FOR_YOU,
    placements: (site) => {
      const folder = configOf(site, ".claude", "CLAUDE_CONFIG_DIR");
      return ownFiles("claude", join(folder, "skills", "planwright"), site.program);
    },
    afterwards: "Start Claude Code again; type /planwright:plan, /planwright:next or simply next.",
  },
  codex: {
    label: "Codex",
    command: "codex",
    scopes: FOR_YOU,
    placements: (site) => {
      const folder = configOf(site, ".codex", "CODEX_HOME");
      return [
        codexServer(join(folder, "config.toml"), site.program),
        entries(join(folder, "hooks.json"), "codex/hooks.json", site.program),
        ...ownFiles("claude/skills/planwright", join(site.base, ".agents", "skills", "planwright"), site.program),
      ];
    },
    afterwards: "Start Codex again and trust the hooks with /hooks.",
  },
  gemini: {
    label: "Gemini CLI",
    command: "gemini",
    scopes: FOR_YOU,
    placements: (site) => {
      const folder = join(site.base, ".gemini");
      return [
        entries(join(folder, "settings.json"), "gemini/settings.json", site.program),
        ...ownFiles("gemini/commands", join(folder, "commands", "planwright"), site.program),
        ...ownFiles("claude/skills/planwright", join(folder, "skills", "planwright"), site.program),
      ];
    },
    afterwards: "Start Gemini CLI again; type /planwright:plan, /planwright:next or simply next.",
  },
  opencode: {
    label: "opencode",
    command: "opencode",
    scopes: FOR_YOU,
    placements: (site) => {
      const { scope, base, env } = site;
      const folder = scope === "user" ? join(env["XDG_CONFIG_HOME"] || join(base, ".config"), "opencode") : base;
      const commented = join(folder, "opencode.jsonc");
      const path = existsSync(commented) ? commented : join(folder, "opencode.json");
      return [{ kind: "entries", path, entries: opencodeEntries(site.program) }];
    },
    afterwards: "Start opencode again; type /planwright-plan or /planwright-next.",
  },
  cursor: {
    label: "Cursor",
    command: "cursor-agent",
    scopes: FOR_PROJECT,
    placements: (site) => {
      const folder = join(site.base, ".cursor");
      const rules = join(folder, "rules", "planwright.mdc");
      return [
        entries(join(folder, "mcp.json"), "cursor/mcp.json", site.program),
        ...(site.scope === "project"
          ? [{ kind: "file", path: rules, text: hostText("cursor/planwright.mdc") } as const]
          : []),
        ...["plan", "next", "work"].map((name) => commandFile(join(folder, "commands"), name)),
      ];
    },
    afterwards: "Start Cursor again and allow the server planwright in its settings.",
  },
  copilot: {
    label: "GitHub Copilot",
    command: "copilot",
    scopes: FOR_PROJECT,
    placements: (site) => {
      const { scope, base, env, program } = site;
      if (scope === "user") {
        const folder = env["COPILOT_HOME"] || join(base, ".copilot");
        return [
          entries(join(folder, "mcp-config.json"), "copilot/mcp-config.json", program),
          entries(join(folder, "settings.json"), "copilot/settings.json", program),
        ];
      }
      const instructions = join(base, ".github", "instructions", "planwright.instructions.md");
      return [
        entries(join(base, ".vscode", "mcp.json"), "copilot/vscode-mcp.json", program),
        { kind: "file", path: instructions, text: hostText("copilot/planwright.instructions.md") },
      ];
    },
    afterwards: "Start Copilot again and allow the server planwright.",
  },
  "agents-md": {
    label: "AGENTS.md",
    command: null,
    scopes: ["project"],
    placements: ({ base }) => [
      { kind: "block", path: join(base, "AGENTS.md"), block: hostText("shared/AGENTS.md"), marks: MARKDOWN },
    ],
    afterwards: null,
  },
};

const commandFile = (folder: string, name: string): Placement => ({
  kind: "file",
  path: join(folder, `planwright-${name}.md`),
  text: withoutFrontMatter(hostText(`claude/commands/${name}.md`)),
});

const withoutFrontMatter = (text: string): string => text.replace(/^---\n[\s\S]*?\n---\n\n?/, "");

function opencodeEntries({ words }: OwnProgram): JsonEntry[] {
  const server = { type: "local", command: [...words, "mcp"], enabled: true };
  const commands = ["plan", "next", "work"].map((name): JsonEntry => {
    const text = hostText(`claude/commands/${name}.md`);
    const description = /^description: (.+)$/m.exec(text)?.[1] ?? "";
    const value = { description, template: withoutFrontMatter(text).trim() };
    return { keys: ["command", `planwright-${name}`], value };
  });
  return [{ keys: ["mcp", "planwright"], value: server }, ...commands];
}

/** Codex hides the environment from its servers, and with it the folders in which you keep settings and state. */
const PASSED_ON = ["PLANWRIGHT_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] as const;

const toml = (text: string): string => JSON.stringify(text);

function codexServer(path: string, { words: [command, ...args] }: OwnProgram): Placement {
  const list = [...args, "mcp"].map(toml).join(", ");
  const passed = PASSED_ON.map(toml).join(", ");
  const block = `[mcp_servers.planwright]\ncommand = ${toml(command)}\nargs = [${list}]\nenv_vars = [${passed}]`;
  return { kind: "block", path, block, marks: TOML, problem: tomlProblem };
}

/** The block is a table at the end of the file. A server that was declared before, in any form, would be declared twice. */
function tomlProblem(text: string): string | undefined {
  if (
    /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?planwright["']?[ \t]*[.\]]/m.test(text) ||
    /^[ \t]*mcp_servers[ \t]*\.[ \t]*planwright[ \t]*[.=]/m.test(text)
  ) {
    return "You have your own server planwright in this file, so it stays as it is.";
  }
  if (!/^[ \t]*mcp_servers[ \t]*=/m.test(text)) return undefined;
  return "mcp_servers is written on one line in this file, so nothing can be added to it. Write it as [mcp_servers.NAME] tables.";
}

/** Your own home folder, for hosts that are installed for you alone. */
export const homeOf = (env: Environment): string => env["HOME"] ?? env["USERPROFILE"] ?? homedir();

export type Placement =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "entries"; readonly path: string; readonly entries: readonly JsonEntry[] }
  /** A block at the end of a text file of yours. `problem` says what in it stands in the way. */
  | {
      readonly kind: "block";
      readonly path: string;
      readonly block: string;
      readonly marks: Marks;
      readonly problem?: (text: string) => string | undefined;
    };

let found: string | undefined;

/** The folder `hosts` of this package, wherever this file was built to. */
function hostsFolder(): string {
  for (let folder = import.meta.dirname; found === undefined; folder = dirname(folder)) {
    const candidate = join(folder, "hosts");
    if (existsSync(join(candidate, ".claude-plugin", "marketplace.json"))) found = candidate;
    else if (dirname(folder) === folder) throw new Error("This package is incomplete: its folder hosts is missing.");
  }
  return found;
}

export const hostText = (path: string): string => readFileSync(join(hostsFolder(), path), "utf8");

/** Every file below a folder, by its path from there, with slashes. */
export function hostTexts(folder: string): (readonly [path: string, text: string])[] {
  const top = join(hostsFolder(), folder);
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(top, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort()
    .map((path) => [path, hostText(`${folder}/${path}`)] as const);
}

/** The version of the texts, which is that of the package. */
export const textsVersion = (): string =>
  (JSON.parse(hostText("claude/.claude-plugin/plugin.json")) as { version: string }).version;
