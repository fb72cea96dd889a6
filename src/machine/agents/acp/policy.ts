// What an agent that asks may do: pure. Asking is a courtesy of the agent and no boundary, so this stands beside
// flags, sandboxes and the look at the working tree, and in place of none of them.

import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { PermissionOption, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Access } from "../agent.js";

/** What cannot change anything. */
const HARMLESS = new Set(["read", "search", "think"]);
const CHANGES_FILES = new Set(["edit", "delete", "move"]);

export const isPathInside = (folder: string, path: string): boolean => {
  const way = relative(folder, resolve(folder, path));
  return way !== ".." && !way.startsWith(`..${sep}`);
};

/** Our own tools, by the whole of the names that agents give them; a title that only mentions one is the model's words. */
const OUR_TOOL =
  /^(?:mcp[_-]{1,2})?(?:planwright[_.:/-]{1,3})?(?:submit(?:_json)?|look_up)(?: \(planwright(?: MCP Server)?\))?$/i;
/** What a tool of ours is called by agents that name its kind at all. */
const OURS = new Set(["", "other", "think"]);

const isOurs = ({ title, name, kind }: ToolCallUpdate): boolean =>
  OURS.has(kind ?? "") && [name, title].some((words) => OUR_TOOL.test((words ?? "").trim()));

/** The repository and the plan must not be changed through files. */
const PROTECTED = /(?:^|[\\/])\.(?:git|planwright)(?:[\\/]|$)/i;

const isProtected = (folder: string, path: string): boolean => PROTECTED.test(relative(folder, resolve(folder, path)));

/** Where a call says that it will change something. */
const placesOf = ({ locations, content }: ToolCallUpdate): string[] => [
  ...(locations ?? []).map(({ path }) => path),
  ...(content ?? []).flatMap((part) => (part.type === "diff" ? [part.path] : [])),
];

export function isGranted(call: ToolCallUpdate, access: Access, cwd: string): boolean {
  if (isOurs(call)) return true;
  if (access === "read") return HARMLESS.has(call.kind ?? "");
  if (!CHANGES_FILES.has(call.kind ?? "")) return true;
  return placesOf(call).every((path) => isPathInside(cwd, path) && !isProtected(cwd, path));
}

/** The same, also when links are followed. */
export async function isReallyGranted(call: ToolCallUpdate, access: Access, cwd: string): Promise<boolean> {
  if (!isGranted(call, access, cwd)) return false;
  if (!CHANGES_FILES.has(call.kind ?? "")) return true;
  const own = await Promise.all(placesOf(call).map((path) => mayWrite(cwd, path)));
  return own.every(Boolean);
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

/** Whether a file is inside the agent's folder, also when links are followed. */
export async function isOwnFile(cwd: string, path: string): Promise<boolean> {
  return isPathInside(await realPlace(cwd), await realPlace(resolve(cwd, path)));
}

/** Whether a file may be written by the agent, or for it. */
export async function mayWrite(cwd: string, path: string): Promise<boolean> {
  const [folder, place] = await Promise.all([realPlace(cwd), realPlace(resolve(cwd, path))]);
  return isPathInside(folder, place) && !isProtected(folder, place);
}
