import type { Result } from "../../model/result.js";
import { HOST_NAMES, INSTALL_SCOPES } from "../hosts/hosts.js";
import type { HostProposal, HostState, Installation } from "../hosts/install-host.js";
import { choice, fields, flag, optional } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { folderVerb } from "../kit/verb.js";

const STATES = { absent: "not installed", current: "installed", outdated: "installed, but not of this version" };

const hostLines = ({ hosts }: HostProposal, style: Style): string =>
  hosts
    .map((host) => {
      const name = style.bold(host.host.padEnd(10));
      const where = host.found ? "" : style.dim(", not found on this machine");
      return `${name} ${host.label.padEnd(15)} ${stateWords(host)}${where}`;
    })
    .join("\n");

const coloured = (diff: string, style: Style): string =>
  diff
    .split("\n")
    .map((line) => (line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line))
    .join("\n");

export const input = fields({
  host: optional(choice(HOST_NAMES, "the coding agent; without it, what could be installed")),
  scope: optional(choice(INSTALL_SCOPES, "for everybody in this project, or for you in every project")),
  dryRun: optional(flag("show what would change in which file, and change nothing")),
  uninstall: optional(flag("take everything out again")),
});

export const verb = folderVerb({
  name: "install",
  command: { words: "install", group: "tool", positional: ["host"] },
  summary: "Put Planwright into your coding agent",
  description:
    "Gives the agent Planwright's tools, commands, skill and hooks, as far as it supports them. Your own settings stay: Planwright adds to them, and takes exactly that out again. The same command brings an older installation up to date. Without a name it lists the agents on this machine. See docs/agents.md.",
  who: "both",
  effect: "writes",
  input,
  examples: [
    { input: {}, does: "lists the agents on this machine, and what is installed" },
    { input: { host: "claude" }, does: "installs the plugin into your Claude Code" },
    { input: { host: "gemini", scope: "project", dryRun: true }, does: "shows what would change in this project" },
    { input: { host: "codex", uninstall: true }, does: "takes it out again, and leaves every file as it was" },
  ],
  run: async (folder, { host, ...asked }): Promise<Result<Installation | HostProposal>> => {
    const { installHost, proposeHosts } = await import("../hosts/install-host.js");
    return host === undefined ? { ok: true, value: proposeHosts(folder) } : installHost(folder, { host, ...asked });
  },
  text: (answer, style) => ("hosts" in answer ? hostLines(answer, style) : installationText(answer, style)),
  note: (answer, style) =>
    "hosts" in answer || answer.dryRun
      ? ""
      : [...answer.left.map(({ path, why }) => style.yellow(`${path}: ${why}`)), ...answer.notes].join("\n"),
  next: (answer) => ("hosts" in answer ? answer.next : []),
});

function stateWords({ scopes }: HostState): string {
  const there = scopes.filter(({ state }) => state !== "absent");
  if (there.length === 0) return STATES.absent;
  return there.map(({ scope, state }) => `${STATES[state]} (${scope})`).join(", ");
}

function installationText({ label, scope, uninstall, dryRun, files }: Installation, style: Style): string {
  const where = scope === "user" ? "for you, in every project" : "for this project";
  if (dryRun)
    return files.length === 0 ? "Nothing would change." : files.map(({ diff }) => coloured(diff, style)).join("\n");
  if (files.length === 0) {
    return uninstall ? `${label}: nothing is installed ${where}.` : `${label}: already up to date ${where}.`;
  }
  const head = uninstall ? `${label}: removed` : `${label}: installed ${where}`;
  return [style.bold(head), ...files.map(({ change, path }) => `  ${change.padEnd(7)} ${path}`)].join("\n");
}
