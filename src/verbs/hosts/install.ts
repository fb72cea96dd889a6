import { existsSync, mkdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ok, type Result, refused, usage, type ValueOf } from "../../model/result.js";
import { choice, type Folder, fields, flag, folderVerb, type Infer, optional, type Style, step } from "../kit/verb.js";
import {
  HOST_NAMES,
  HOSTS,
  type HostName,
  homeOf,
  INSTALL_SCOPES,
  type InstallScope,
  type InstallSite,
  textsVersion,
} from "./hosts.js";
import { UnfitText } from "./json-entries.js";
import {
  type HostManifest,
  manifestFile,
  readManifest,
  targetOf,
  whyNotWritable,
  writeManifest,
  writeWhole,
} from "./manifest.js";
import { findInPath, ownProgram } from "./own-program.js";
import { type InstallPlan, planInstall, planUninstall } from "./plan-install.js";

export const input = fields({
  host: optional(choice(HOST_NAMES, "the coding agent; without it, what could be installed")),
  scope: optional(choice(INSTALL_SCOPES, "for everybody in this project, or for you in every project")),
  dryRun: optional(flag("show what would change in which file, and change nothing")),
  uninstall: optional(flag("take everything out again")),
});

export const verb = folderVerb({
  command: { words: "install", group: "tool", positional: ["host"] },
  summary: "Put Planwright into your coding agent",
  description:
    "Gives the agent Planwright's tools, commands, skill and hooks, as far as it supports them. Your own settings stay: Planwright adds to them, and takes exactly that out again. The same command brings an older installation up to date. Without a name it lists the agents on this machine. See docs/agents.md.",
  effect: "writes",
  input,
  examples: [
    { input: {}, does: "lists the agents on this machine, and what is installed" },
    { input: { host: "claude" }, does: "installs the plugin into your Claude Code" },
    { input: { host: "gemini", scope: "project", dryRun: true }, does: "shows what would change in this project" },
    { input: { host: "codex", uninstall: true }, does: "takes it out again, and leaves every file as it was" },
  ],
  run: async (folder, { host, ...asked }): Promise<Result<Installation | HostProposal>> =>
    host === undefined ? ok(proposeHosts(folder)) : installHost(folder, { host, ...asked }),
  text: (answer, style) => ("hosts" in answer ? hostLines(answer, style) : installationText(answer, style)),
  note: (answer, style) =>
    "hosts" in answer || answer.dryRun
      ? ""
      : [...answer.left.map(({ path, why }) => style.yellow(`${path}: ${why}`)), ...answer.notes].join("\n"),
  next: (answer) => ("hosts" in answer ? answer.next : []),
});

const STATES = { absent: "not installed", current: "installed", outdated: "installed, but not of this version" };

const hostLines = ({ hosts }: HostProposal, style: Style): string =>
  hosts
    .map((host) => {
      const name = style.bold(host.host.padEnd(10));
      const where = host.found ? "" : style.dim(", not found on this machine");
      return `${name} ${host.label.padEnd(15)} ${stateWords(host)}${where}`;
    })
    .join("\n");

const colourDiff = (diff: string, style: Style): string =>
  diff
    .split("\n")
    .map((line) => (line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line))
    .join("\n");

function stateWords({ scopes }: HostProposal["hosts"][number]): string {
  const there = scopes.filter(({ state }) => state !== "absent");
  if (there.length === 0) return STATES.absent;
  return there.map(({ scope, state }) => `${STATES[state]} (${scope})`).join(", ");
}

function installationText({ label, scope, uninstall, dryRun, files }: Installation, style: Style): string {
  const where = scope === "user" ? "for you, in every project" : "for this project";
  if (dryRun)
    return files.length === 0 ? "Nothing would change." : files.map(({ diff }) => colourDiff(diff, style)).join("\n");
  if (files.length === 0) {
    return uninstall ? `${label}: nothing is installed ${where}.` : `${label}: already up to date ${where}.`;
  }
  const head = uninstall ? `${label}: removed` : `${label}: installed ${where}`;
  return [style.bold(head), ...files.map(({ change, path }) => `  ${change.padEnd(7)} ${path}`)].join("\n");
}

type Installation = ValueOf<ReturnType<typeof installHost>>;
type HostProposal = ReturnType<typeof proposeHosts>;

type InstallInput = Infer<typeof input> & { readonly host: HostName };

/** `dryRun`: nothing was written. `left`: files of yours that stay as they are, and why. `notes`: what you should know or do. */
export function installHost(folder: Folder, { host, dryRun = false, uninstall = false, ...asked }: InstallInput) {
  const { label, scopes, afterwards } = HOSTS[host];
  const scope = asked.scope ?? scopes[0] ?? "user";
  if (!scopes.includes(scope)) {
    return usage("no-such-scope", `${label} belongs to a project; it cannot be installed for one user.`);
  }
  try {
    const site = siteOf(folder, scope);
    const plan = planFor(host, site, uninstall);
    const files = plan.changes.map(fileOf);
    if (!dryRun) applyPlan(plan, manifestFile(site, host));
    const notes = [site.program.note, uninstall ? null : afterwards].filter((note) => note !== null);
    return ok({ host, label, scope, uninstall, dryRun, files, left: plan.left, notes });
  } catch (error) {
    if (!(error instanceof UnfitText)) throw error;
    return refused("unfit-file", `${error.message}. Nothing was changed.`);
  }
}

function siteOf(folder: Folder, scope: InstallScope): InstallSite {
  const { env, program } = folder;
  const base = scope === "user" ? homeOf(env) : folder.workspace().root;
  return { scope, base, env, program: ownProgram(env, program) };
}

function planFor(host: HostName, site: InstallSite, uninstall: boolean): InstallPlan {
  const placements = HOSTS[host].placements(site);
  const installed = readManifest(manifestFile(site, host));
  return uninstall ? planUninstall(placements, installed) : planInstall(placements, installed, textsVersion());
}

const fileOf = ({ path, before, after }: InstallPlan["changes"][number]) => ({
  path,
  change: before === null ? ("made" as const) : after === null ? ("removed" as const) : ("changed" as const),
  diff: lineDiff(path, before, after),
});

export function proposeHosts(folder: Folder) {
  const hosts = HOST_NAMES.map((host) => {
    const { label, scopes } = HOSTS[host];
    return {
      host,
      label,
      found: isHere(host, folder),
      scopes: scopes.map((scope) => ({ scope, state: stateOf(host, siteOf(folder, scope)) })),
    };
  });
  const next = hosts.flatMap(({ host, found, scopes }) => {
    const outdated = scopes
      .filter(({ state }) => state === "outdated")
      .map(({ scope }) => step("install", { host, scope }));
    if (outdated.length > 0) return outdated;
    return found && scopes.every(({ state }) => state === "absent") ? [step("install", { host })] : [];
  });
  return { hosts, next };
}

function isHere(host: HostName, folder: Folder): boolean {
  const { env } = folder;
  const { command } = HOSTS[host];
  if (command === null) return folder.workspace().exists;
  // Cursor may be there without its command.
  return findInPath(command, env) !== undefined || (host === "cursor" && existsSync(join(homeOf(env), ".cursor")));
}

/** `current`: what is installed is what this version would install. */
function stateOf(host: HostName, site: InstallSite): "absent" | "current" | "outdated" {
  try {
    const { changes: present } = planFor(host, site, true);
    if (present.length === 0 && !readManifest(manifestFile(site, host))) return "absent";
    return planFor(host, site, false).changes.length === 0 ? "current" : "outdated";
  } catch (error) {
    if (error instanceof UnfitText) return "absent";
    throw error;
  }
}

/** Begins only if every file can be written, and notes everything first, old and new: a program that is killed in between can be started again, and undone. */
function applyPlan(plan: InstallPlan, manifest: string): void {
  const before = readManifest(manifest);
  for (const { path } of plan.changes) {
    const problem = whyNotWritable(path);
    if (problem !== undefined) throw new UnfitText(`${path} ${problem}`);
  }
  if (plan.manifest) writeManifest(manifest, mergeManifests(before, plan.manifest));
  for (const { path, after } of plan.changes) {
    if (after === null) {
      rmSync(targetOf(path), { force: true });
      continue;
    }
    mkdirSync(dirname(targetOf(path)), { recursive: true });
    writeWhole(path, after);
  }
  if (plan.manifest) return writeManifest(manifest, plan.manifest);
  for (const folder of foldersToRemove(plan, before)) removeIfEmpty(folder);
  rmSync(manifest, { force: true });
}

function mergeManifests(before: HostManifest | undefined, after: HostManifest): HostManifest {
  if (!before) return after;
  const partsBefore = (path: string) => before.additions.find((addition) => addition.path === path)?.parts ?? [];
  const placed = new Set(after.additions.map(({ path }) => path));
  const listed = new Set(after.files.map(({ path }) => path));
  return {
    ...after,
    files: [...after.files, ...before.files.filter(({ path }) => !listed.has(path))],
    additions: [
      ...after.additions.map((addition) => ({
        ...addition,
        parts: [...partsBefore(addition.path), ...addition.parts],
      })),
      ...before.additions.filter(({ path }) => !placed.has(path)),
    ],
  };
}

/** The folders that were made for it, and those of our own name, innermost first. */
function foldersToRemove({ changes }: InstallPlan, before: HostManifest | undefined): string[] {
  const own = changes
    .filter(({ after }) => after === null)
    .map(({ path }) => dirname(path))
    .filter((folder) => /[\\/]planwright([\\/]|$)/.test(folder));
  const around = own.flatMap((folder) => [folder, dirname(folder)]).filter((folder) => /planwright/.test(folder));
  return [...new Set([...(before?.folders ?? []), ...around])].sort((a, b) => b.length - a.length);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it.
  }
}

const LINES_AROUND = 2;
/** Beyond this the lines between the first and the last change are all shown as changed. */
const MAX_CELLS = 4_000_000;

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

const withSign = (sign: " " | "-" | "+") => (text: string) => `${sign}${text}`;

function lineDiff(path: string, before: string | null, after: string | null): string {
  const lines = compare(linesOf(before ?? ""), linesOf(after ?? ""));
  const head = [`--- ${before === null ? "(no file)" : path}`, `+++ ${after === null ? "(no file)" : path}`];
  const isChange = (line: string): boolean => !line.startsWith(" ");
  const shown = lines.filter((_, i) => lines.slice(Math.max(0, i - LINES_AROUND), i + LINES_AROUND + 1).some(isChange));
  return [...head, ...shown.map((line) => line.replace(/\r$/, ""))].join("\n");
}

/** Every line of both, with its sign. The longest common lines stay. */
function compare(a: readonly string[], b: readonly string[]): string[] {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [
    ...a.slice(0, start).map(withSign(" ")),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(withSign(" ")),
  ];
}

function middle(a: readonly string[], b: readonly string[]): string[] {
  if (a.length * b.length > MAX_CELLS) return [...a.map(withSign("-")), ...b.map(withSign("+"))];
  const longest = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      (longest[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [before, after] = [a[i], b[j]];
    if (before !== undefined && before === after) {
      lines.push(` ${before}`);
      i++;
      j++;
    } else if (before !== undefined && (after === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`-${before}`);
      i++;
    } else {
      lines.push(`+${after}`);
      j++;
    }
  }
  return lines;
}
