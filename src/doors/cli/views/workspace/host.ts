// Views of installations into coding agents.

import type { HostProposal, HostState, Installation } from "../../../../app/hosts/install-host.js";
import type { Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const install: ViewOf<"install"> = {
  text: (answer, style) => ("hosts" in answer ? hostLines(answer, style) : installationText(answer, style)),
  note: (answer, style) =>
    "hosts" in answer || answer.dryRun
      ? ""
      : [...answer.left.map(({ path, why }) => style.yellow(`${path}: ${why}`)), ...answer.notes].join("\n"),
  next: (answer) => ("hosts" in answer ? answer.next : []),
};

const STATES = { absent: "not installed", current: "installed", outdated: "installed, but not of this version" };

function stateWords({ scopes }: HostState): string {
  const there = scopes.filter(({ state }) => state !== "absent");
  if (there.length === 0) return STATES.absent;
  return there.map(({ scope, state }) => `${STATES[state]} (${scope})`).join(", ");
}

const hostLines = ({ hosts }: HostProposal, style: Style): string =>
  hosts
    .map((host) => {
      const name = style.bold(host.host.padEnd(10));
      const where = host.found ? "" : style.dim(", not found on this machine");
      return `${name} ${host.label.padEnd(15)} ${stateWords(host)}${where}`;
    })
    .join("\n");

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

const coloured = (diff: string, style: Style): string =>
  diff
    .split("\n")
    .map((line) => (line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line))
    .join("\n");

export const hostViews = { install };
