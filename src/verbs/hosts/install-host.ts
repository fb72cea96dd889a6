// Installs this program into a host, brings an installation up to date, removes it, and tells what there is.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type NextStep, step } from "../../model/next-step.js";
import { ok, type Result, refused, usage } from "../../model/result.js";
import type { Folder } from "../kit/verb.js";
import { applyPlan, diskFiles } from "./apply-install.js";
import { textsVersion } from "./host-texts.js";
import { HOST_NAMES, HOSTS, type HostName, homeOf, type InstallScope, type InstallSite } from "./hosts.js";
import { UnfitText } from "./json-entries.js";
import { lineDiff } from "./line-diff.js";
import { readManifest } from "./manifest.js";
import { findInPath, ownProgram } from "./own-program.js";
import { type InstallPlan, type KeptFile, planInstall, planUninstall } from "./plan-install.js";

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
