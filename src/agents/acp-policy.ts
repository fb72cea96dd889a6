// What an agent that asks may do: pure. Asking is a courtesy of the agent and no boundary, so this stands beside
// flags, sandboxes and the look at the working tree, and in place of none of them.

import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { PermissionOption, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Access } from "./agent.js";

/** What cannot change anything. */
const HARMLESS = new Set(["read", "search", "think"]);
const CHANGES_FILES = new Set(["edit", "delete", "move"]);

export const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, resolve(folder, path));
  return way !== ".." && !way.startsWith(`..${sep}`);
};

/** Our own tool, by the whole of the names that agents give it; a title that only mentions it is the model's words. */
const SUBMIT = /^(?:mcp[_-]{1,2})?(?:planwright[_.:/-]{1,3})?submit(?:_json)?(?: \(planwright(?: MCP Server)?\))?$/i;
/** What a tool of ours is called by agents that name its kind at all. */
const OURS = new Set(["", "other", "think"]);

const isSubmit = ({ title, name, kind }: ToolCallUpdate): boolean =>
  OURS.has(kind ?? "") && [name, title].some((words) => SUBMIT.test((words ?? "").trim()));

export function isGranted(call: ToolCallUpdate, access: Access, cwd: string): boolean {
  if (isSubmit(call)) return true;
  if (access === "read") return HARMLESS.has(call.kind ?? "");
  const places = call.locations ?? [];
  return !CHANGES_FILES.has(call.kind ?? "") || places.every(({ path }) => isInside(cwd, path));
}

/** The agent's own word for yes or no; once, if it can be had. */
export function chooseOption(options: readonly PermissionOption[], granted: boolean): string | undefined {
  const wanted = granted ? (["allow_once", "allow_always"] as const) : (["reject_once", "reject_always"] as const);
  return wanted.flatMap((kind) => options.filter((option) => option.kind === kind))[0]?.optionId;
}

/** The real place of a path, of which the last parts may not exist yet. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realPlace(above), basename(path));
  }
}

/** Whether a file may be written for the agent: inside its folder, also when links are followed. */
export async function isOwnFile(cwd: string, path: string): Promise<boolean> {
  return isInside(await realPlace(cwd), await realPlace(resolve(cwd, path)));
}
