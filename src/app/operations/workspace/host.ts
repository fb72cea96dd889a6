// Operations on coding agents that people use: Planwright inside of them.

import type { Result } from "../../../model/result.js";
import { HOST_NAMES, INSTALL_SCOPES } from "../../hosts/hosts.js";
import type { HostProposal, Installation } from "../../hosts/install-host.js";
import { folderOperation } from "../../operation.js";
import { choice, flag, input, optional } from "../../schema.js";

const install = folderOperation({
  name: "install",
  summary: "Put Planwright into your coding agent",
  description:
    "Gives the agent Planwright's tools, commands, skill and hooks, as far as it supports them. Your own settings stay: Planwright adds to them, and takes exactly that out again. The same command brings an older installation up to date. Without a name it lists the agents on this machine. See docs/agents.md.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      host: optional(choice(HOST_NAMES, "the coding agent; without it, what could be installed")),
      scope: optional(choice(INSTALL_SCOPES, "for everybody in this project, or for you in every project")),
      dryRun: optional(flag("show what would change in which file, and change nothing")),
      uninstall: optional(flag("take everything out again")),
    }),
  examples: [
    { input: {}, does: "lists the agents on this machine, and what is installed" },
    { input: { host: "claude" }, does: "installs the plugin into your Claude Code" },
    { input: { host: "gemini", scope: "project", dryRun: true }, does: "shows what would change in this project" },
    { input: { host: "codex", uninstall: true }, does: "takes it out again, and leaves every file as it was" },
  ],
  run: async (folder, { host, ...asked }): Promise<Result<Installation | HostProposal>> => {
    const { installHost, proposeHosts } = await import("../../hosts/install-host.js");
    return host === undefined ? { ok: true, value: proposeHosts(folder) } : installHost(folder, { host, ...asked });
  },
});

export const hostOperations = { install };
