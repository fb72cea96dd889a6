// What coding agents obey when you start them yourself: hooks, settings, instructions, servers. They lie in folders that a worker
// must be able to write to, for its login and its sessions. So they are noted before it works; what came to them meanwhile is
// put aside afterwards, with or without a sandbox.

import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../../base/errors.js";
import { isRecord } from "../../base/json.js";
import { readPlainFile } from "../../base/plain-file.js";
import { statOf } from "../../machine/git/files.js";
import { KEPT_BY_AGENTS, OBEYED_FILES } from "../../machine/sandbox/agent-folders.js";
import type { OrdersSnapshot } from "./snapshot.js";

export function noteOrders(place: Pick<OrdersSnapshot, "key" | "home" | "aside" | "isConfined">): OrdersSnapshot {
  const { home, isConfined } = place;
  const parts = PARTLY_OBEYED.map((name): [string, OrderParts] => [name, partsOf(jsonOf(join(home, name)))]);
  return {
    ...place,
    there: OBEYED_FILES.filter((name) => isThere(join(home, name))),
    files: isConfined ? {} : Object.fromEntries(OBEYED_FILES.flatMap((name) => filesBelow(home, name))),
    parts: Object.fromEntries(parts),
  };
}

/** What a worker planted, in words, and whether it is still there. */
interface PlantedOrder {
  readonly what: string;
  readonly stays: boolean;
}

/** Puts aside whatever came since, and puts back what was there: what was found and where it is now, or nothing. */
export async function putOrdersAside(before: OrdersSnapshot): Promise<string[]> {
  const { home, there, isConfined, aside } = before;
  const looked = OBEYED_FILES.filter((name) => !(isConfined && there.includes(name)));
  const now = new Map(looked.flatMap((name) => filesBelow(home, name)));
  const was = new Map(Object.entries(before.files));
  const found: PlantedOrder[] = [];
  for (const [name, stamp] of now) {
    if (was.get(name) !== stamp) found.push(await putFileAside(before, name, was.get(name)));
  }
  for (const [name, stamp] of was) {
    if (!now.has(name)) found.push({ what: `~/${name} (deleted; ${putBackFile(home, name, stamp)})`, stays: false });
  }
  const parts = PARTLY_OBEYED.filter((name) => !(isConfined && there.includes(name)));
  found.push(...parts.flatMap((name) => putPartsBack(before, name)));
  const listed = (isLeft: boolean): string =>
    found.flatMap(({ what, stays }) => (stays === isLeft ? what : [])).join(", ");
  const [left, gone] = [listed(true), listed(false)];
  return [
    ...(left === "" ? [] : [`Look at this before you start an agent, the worker may have planted it: ${left}.`]),
    ...(gone === "" ? [] : [`The worker changed what your own agents obey. What it wrote is in ${aside}: ${gone}.`]),
  ];
}

/** A name that is not taken. */
function freeName(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let i = 1; ; i++) {
    const name = i === 1 ? path : `${path}.${i}`;
    if (!isThere(name)) return name;
  }
}

const because = (error: unknown): string => String(codeOf(error) ?? error);

async function putFileAside(
  { home, aside }: OrdersSnapshot,
  name: string,
  was: string | undefined,
): Promise<PlantedOrder> {
  try {
    await move(join(home, name), freeName(join(aside, name)));
  } catch (error) {
    return { what: `~/${name} (${because(error)})`, stays: true };
  }
  return { what: was === undefined ? `~/${name}` : `~/${name} (${putBackFile(home, name, was)})`, stays: false };
}

async function move(from: string, to: string): Promise<void> {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    await cp(from, to, { verbatimSymlinks: true });
    rmSync(from);
  }
}

function putBackFile(home: string, name: string, stamp: string): string {
  const [kind, how = "", text] = stamp.split(" ");
  if (text === undefined) return "the old one was too large to keep";
  try {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    if (kind === "link") symlinkSync(Buffer.from(text, "base64").toString(), join(home, name));
    else writeFileSync(join(home, name), Buffer.from(text, "base64"), { flag: "wx", mode: Number.parseInt(how, 8) });
    return "the old one is back";
  } catch (error) {
    return `the old one could not be put back: ${because(error)}`;
  }
}

function putPartsBack({ home, aside, parts }: OrdersSnapshot, name: string): PlantedOrder[] {
  const path = join(home, name);
  const found = jsonOf(path);
  // What is not JSON starts nothing.
  if (found === undefined) return [];
  const was = parts[name] ?? {};
  const now = partsOf(found);
  const strange = Object.keys(now).filter((part) => now[part] !== was[part]);
  if (strange.length === 0) return [];
  const what = `${strange.map((part) => (JSON.parse(part) as string[]).join(" ")).join(", ")} in ~/${name}`;
  try {
    const kept = `${JSON.stringify(withParts({}, strange, now), null, 2)}\n`;
    writeFileSync(freeName(join(aside, name)), kept, { mode: 0o600 });
    writeInPlace(path, `${JSON.stringify(withParts(found, strange, was), null, 2)}\n`);
    return [{ what, stays: false }];
  } catch (error) {
    return [{ what: `${what} (${because(error)})`, stays: true }];
  }
}

function writeInPlace(path: string, text: string): void {
  const target = realpathSync(path);
  const fresh = `${target}.planwright`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, text, { flag: "wx", mode: statSync(target).mode & 0o777 });
  renameSync(fresh, target);
}

const BYTES_KEPT = 65_536;
/** Installed by a package manager, and too many to look at. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

const isThere = (path: string): boolean => statOf(path) !== undefined;

/** Maps each path in the home folder to its stamp. An empty folder gives no orders. */
function filesBelow(home: string, name: string): [string, string][] {
  const path = join(home, name);
  const found = statOf(path);
  if (found === undefined || KEPT_BY_AGENTS.includes(name)) return [];
  if (!found.isDirectory()) return [[name, stampOf(path, found)]];
  if (SKIPPED.has(basename(name))) return [];
  try {
    return readdirSync(path).flatMap((each) => filesBelow(home, `${name}/${each}`));
  } catch (error) {
    return [[name, `unreadable ${String(codeOf(error))}`]];
  }
}

const NO_PIPE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function bytesOf(path: string): Buffer {
  const file = openSync(path, NO_PIPE);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** `kind how text`; without the text if it cannot be put back. */
function stampOf(path: string, found: Stats): string {
  const { mode, size, mtimeMs, ino } = found;
  try {
    if (found.isSymbolicLink()) return `link to ${Buffer.from(readlinkSync(path)).toString("base64")}`;
    if (!found.isFile()) return `other ${mode}`;
    if (size > BYTES_KEPT) return `large ${ino}:${size}:${mtimeMs}:${mode}`;
    return `file ${(mode & 0o777).toString(8)} ${bytesOf(path).toString("base64")}`;
  } catch (error) {
    return `unreadable ${String(codeOf(error))}`;
  }
}

/** These files of the home folder hold settings beside logins and what was used last. */
const PARTLY_OBEYED = [".claude.json", ".copilot/config.json", ".gemini/settings.json", ".qwen/settings.json"] as const;

const PROGRAM_KEYS = [
  "mcpServers",
  "hooks",
  "enabledMcpjsonServers",
  "enableAllProjectMcpServers",
  "mcp",
  "mcpServerCommand",
  "tools",
  "toolCallCommand",
  "toolDiscoveryCommand",
];

type OrderParts = OrdersSnapshot["parts"][string];

type Json = Record<string, unknown>;

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/** Undefined if there is no such file, or no JSON in it. Some write a comment at its beginning. */
function jsonOf(path: string): Json | undefined {
  try {
    const read: unknown = JSON.parse(readPlainFile(path).replaceAll(/^\s*\/\/.*$/gm, ""));
    return isRecord(read) ? read : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError) && codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function partsOf(json: Json | undefined): OrderParts {
  const projects = isRecord(json?.["projects"]) ? Object.entries(json["projects"]) : [];
  const holders: [string[], unknown][] = [
    [[], json],
    ...projects.map(([name, each]): [string[], unknown] => [["projects", name], each]),
  ];
  const found: Record<string, string> = {};
  for (const [path, holder] of holders) {
    if (!isRecord(holder)) continue;
    for (const key of PROGRAM_KEYS.filter((each) => Object.hasOwn(holder, each))) {
      const value = holder[key];
      const entries: [string[], unknown][] = isRecord(value)
        ? Object.entries(value).map(([name, each]) => [[...path, key, name], each])
        : [[[...path, key], value]];
      for (const [keys, each] of entries) if (!isEmpty(each)) found[JSON.stringify(keys)] = JSON.stringify(each);
    }
  }
  return found;
}

/** The same file with these parts as they are in `values`, and without those that are not there. */
function withParts(json: Json, parts: readonly string[], values: OrderParts): Json {
  const copy = structuredClone(json);
  for (const part of parts) {
    const keys = JSON.parse(part) as string[];
    const last = keys.pop() as string;
    let holder = copy;
    for (const key of keys) {
      const inner = Object.hasOwn(holder, key) ? holder[key] : undefined;
      holder = isRecord(inner) ? inner : (holder[key] = {});
    }
    const value = values[part];
    if (value === undefined) delete holder[last];
    else holder[last] = JSON.parse(value);
  }
  return copy;
}
