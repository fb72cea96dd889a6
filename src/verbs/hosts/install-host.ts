// Installs this program into a host, brings an installation up to date, removes it, and tells what there is.

import { existsSync, mkdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPlainBytes } from "../../base/plain-file.js";
import type { Environment } from "../../machine/process/environment.js";
import { type NextStep, step } from "../../model/next-step.js";
import { ok, type Result, refused, usage } from "../../model/result.js";
import type { Folder } from "../kit/verb.js";
import { textsVersion } from "./host-texts.js";
import { HOST_NAMES, HOSTS, type HostName, homeOf, type InstallScope, type InstallSite } from "./hosts.js";
import { UnfitText } from "./json-entries.js";
import { type HostManifest, readManifest, removeManifest, writeManifest } from "./manifest.js";
import { findInPath, ownProgram } from "./own-program.js";
import { type Files, type InstallPlan, type KeptFile, planInstall, planUninstall } from "./plan-install.js";
import { targetOf, whyNotWritable, writeWhole } from "./write-whole.js";

export interface InstallInput {
  readonly host?: HostName;
  readonly scope?: InstallScope;
  readonly dryRun?: boolean;
  readonly uninstall?: boolean;
}

export interface InstalledFile {
  readonly path: string;
  readonly change: "made" | "changed" | "removed";
  /** As `diff -u` shows it. */
  readonly diff: string;
}

export interface Installation {
  readonly host: HostName;
  readonly label: string;
  readonly scope: InstallScope;
  readonly uninstall: boolean;
  /** Nothing was written. */
  readonly dryRun: boolean;
  readonly files: readonly InstalledFile[];
  readonly left: readonly KeptFile[];
  /** What you should know or do. */
  readonly notes: readonly string[];
}

export interface HostState {
  readonly host: HostName;
  readonly label: string;
  /** It is on this machine. */
  readonly found: boolean;
  readonly scopes: readonly { readonly scope: InstallScope; readonly state: "absent" | "current" | "outdated" }[];
}

export interface HostProposal {
  readonly hosts: readonly HostState[];
  /** What could be installed or brought up to date. */
  readonly next: readonly NextStep[];
}

export function installHost(folder: Folder, input: InstallInput & { readonly host: HostName }): Result<Installation> {
  const { host, dryRun = false, uninstall = false } = input;
  const { label, scopes, afterwards } = HOSTS[host];
  const scope = input.scope ?? scopes[0] ?? "user";
  if (!scopes.includes(scope)) {
    return usage("no-such-scope", `${label} belongs to a project; it cannot be installed for one user.`);
  }
  try {
    const site = siteOf(folder, scope);
    const plan = planFor(host, site, uninstall);
    const files = plan.changes.map(fileOf);
    if (!dryRun) applyPlan(plan, readManifest(site.env, host, site.base), { env: site.env, host, base: site.base });
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
  return { scope, base, env, program: ownProgram(env, program), exists: existsSync };
}

function planFor(host: HostName, site: InstallSite, uninstall: boolean): InstallPlan {
  const placements = HOSTS[host].placements(site);
  const installed = readManifest(site.env, host, site.base);
  if (uninstall) return planUninstall(placements, installed, diskFiles);
  return planInstall(placements, installed, diskFiles, textsVersion());
}

const fileOf = ({ path, before, after }: InstallPlan["changes"][number]): InstalledFile => ({
  path,
  change: before === null ? "made" : after === null ? "removed" : "changed",
  diff: lineDiff(path, before, after),
});

/** What is here, and what could be installed. */
export function proposeHosts(folder: Folder): HostProposal {
  const hosts = HOST_NAMES.map((host): HostState => {
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

/** Where hosts keep their settings. */
const FOLDERS: Readonly<Partial<Record<HostName, string>>> = { cursor: ".cursor" };

function isHere(host: HostName, folder: Folder): boolean {
  const { env } = folder;
  const { command } = HOSTS[host];
  if (command === null) return folder.workspace().exists;
  const settings = FOLDERS[host];
  return findInPath(command, env) !== undefined || (settings !== undefined && existsSync(join(homeOf(env), settings)));
}

/** `current`: what is installed is what this version would install. */
function stateOf(host: HostName, site: InstallSite): "absent" | "current" | "outdated" {
  try {
    const { changes: present } = planFor(host, site, true);
    if (present.length === 0 && !readManifest(site.env, host, site.base)) return "absent";
    return planFor(host, site, false).changes.length === 0 ? "current" : "outdated";
  } catch (error) {
    if (error instanceof UnfitText) return "absent";
    throw error;
  }
}

/** The byte order mark stays part of the text. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const diskFiles: Files = {
  hasFolder: existsSync,
  read: (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    if (!found.isFile()) throw new UnfitText("is not a file");
    try {
      return UTF8.decode(readPlainBytes(path));
    } catch {
      throw new UnfitText("cannot be read as UTF-8 text");
    }
  },
};

interface InstallTarget {
  readonly env: Environment;
  readonly host: string;
  /** The project, or your home folder. */
  readonly base: string;
}

/** Begins only if every file can be written, and notes everything first, old and new: a program that is killed in between can be started again, and undone. */
function applyPlan(plan: InstallPlan, before: HostManifest | undefined, { env, host, base }: InstallTarget): void {
  for (const { path } of plan.changes) {
    const problem = whyNotWritable(path);
    if (problem !== undefined) throw new UnfitText(`${path} ${problem}`);
  }
  if (plan.manifest) writeManifest(env, host, base, both(before, plan.manifest));
  for (const { path, after } of plan.changes) {
    if (after === null) {
      rmSync(targetOf(path), { force: true });
      continue;
    }
    mkdirSync(dirname(targetOf(path)), { recursive: true });
    writeWhole(path, after);
  }
  if (plan.manifest) return writeManifest(env, host, base, plan.manifest);
  for (const folder of emptied(plan, before)) removeIfEmpty(folder);
  removeManifest(env, host, base);
}

function both(before: HostManifest | undefined, after: HostManifest): HostManifest {
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

/** Innermost first: those that were made for it, and those of our own name. */
function emptied({ changes }: InstallPlan, before: HostManifest | undefined): string[] {
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
const AROUND = 2;
/** Beyond this the lines between the first and the last change are all shown as changed. */
const MOST_CELLS = 4_000_000;

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function lineDiff(path: string, before: string | null, after: string | null): string {
  const lines = compare(linesOf(before ?? ""), linesOf(after ?? ""));
  const head = [`--- ${before === null ? "(no file)" : path}`, `+++ ${after === null ? "(no file)" : path}`];
  const shown = lines.flatMap((line, i) => {
    const isNear = lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ sign }) => sign !== " ");
    return isNear ? [`${line.sign}${line.text.replace(/\r$/, "")}`] : [];
  });
  return [...head, ...shown].join("\n");
}

function compare(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const same = (text: string): Line => ({ sign: " ", text });
  return [
    ...a.slice(0, start).map(same),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

/** The longest common lines stay. */
function middle(a: readonly string[], b: readonly string[]): Line[] {
  if (a.length * b.length > MOST_CELLS) {
    return [...a.map((text): Line => ({ sign: "-", text })), ...b.map((text): Line => ({ sign: "+", text }))];
  }
  const longest = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      (longest[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: " ", text: a[i++] as string });
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: "-", text: a[i++] as string });
    } else lines.push({ sign: "+", text: b[j++] as string });
  }
  return lines;
}
