// The frozen input of one attempt: what was packed, from which content and files, and whether anything has changed since.

import type { Actor } from "../actor.js";
import type { Nr } from "../node/node.js";

export interface Bundle {
  readonly task: Nr;
  readonly state: "current" | "replaced" | "removed";
  readonly hash: string;
  readonly tokens: number;
  readonly content: string;
  /** Hashes of what went in: records, artifacts, lessons, by key. */
  readonly parts: Readonly<Record<string, string>>;
  /** Hashes of the files that dependencies made and that the task will touch; empty for one that was not there. */
  readonly files: Readonly<Record<string, string>>;
  /** Those of them that a dependency made: without them the task cannot begin. */
  readonly needed: readonly string[];
  readonly createdAt: number;
  readonly createdBy: Actor;
}

export interface BundleNow {
  /** The hash of the packed text where it was written; null if it is not there. */
  readonly text: string | null;
  /** Whether what is written beside it says the same; null if it is not there. */
  readonly sidecar: boolean | null;
  readonly content: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

export interface BundleFault {
  readonly what: string;
  readonly state: "missing" | "drifted";
  readonly detail: string;
}

export type Integrity = ReturnType<typeof bundleIntegrity>;

export type Packed = Pick<Bundle, "hash" | "content" | "parts" | "files" | "needed">;

const TEXT = "bundle.md";
const SIDECAR = "bundle.json";

const missing = (what: string, detail: string): BundleFault => ({ what, state: "missing", detail });
const drifted = (what: string, detail: string): BundleFault => ({ what, state: "drifted", detail });

function writtenFaults({ hash }: Packed, { text, sidecar }: BundleNow): BundleFault[] {
  const faults: BundleFault[] = [];
  if (text === null) faults.push(missing(TEXT, "is not there"));
  else if (text !== hash) faults.push(drifted(TEXT, "was changed after it was packed"));
  if (sidecar === null) faults.push(missing(SIDECAR, "is not there"));
  else if (!sidecar) faults.push(drifted(SIDECAR, "was changed after it was packed"));
  return faults;
}

function partFault(key: string, before: string | undefined, after: string | undefined): BundleFault[] {
  if (before === after) return [];
  if (before === undefined) return [drifted(key, "is new since")];
  return [drifted(key, after === undefined ? "no longer holds" : "was changed since")];
}

function fileFault(path: string, before: string, after: string, needed: boolean): BundleFault[] {
  if (after === "" && (needed || before !== "")) {
    return [missing(path, needed ? "was made by a dependency and is not there" : "is no longer there")];
  }
  if (before === after) return [];
  return [drifted(path, before === "" ? "has appeared since" : "was changed since")];
}

/** `missing` counts for more: without it the attempt cannot begin. */
export function bundleIntegrity(bundle: Packed, now: BundleNow) {
  const keys = new Set([...Object.keys(bundle.parts), ...Object.keys(now.parts)]);
  const items = [
    ...writtenFaults(bundle, now),
    ...(bundle.content === now.content ? [] : [drifted("the task", "was changed since")]),
    ...[...keys].flatMap((key) => partFault(key, bundle.parts[key], now.parts[key])),
    ...Object.entries(bundle.files).flatMap(([path, hash]) =>
      fileFault(path, hash, now.files[path] ?? "", bundle.needed.includes(path)),
    ),
  ];
  const state = items.some((item) => item.state === "missing") ? "missing" : "drifted";
  const whole: BundleFault["state"] | "whole" = items.length === 0 ? "whole" : state;
  return { state: whole, items };
}

/** The same text from the same sources, so there is nothing to pack. */
export const sameBundle = (a: Packed, b: Packed): boolean =>
  [a.hash, a.content, JSON.stringify([a.parts, a.files, a.needed])].join() ===
  [b.hash, b.content, JSON.stringify([b.parts, b.files, b.needed])].join();
export interface ExpandedBehaviour {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly quote: string;
  readonly requirements: readonly string[];
  readonly capability: string;
  readonly domain: string;
}

interface FilePurpose {
  readonly action: string;
  readonly purpose: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listIn = (value: unknown, field: string): Fields[] => {
  const list = isFields(value) ? value[field] : [];
  return Array.isArray(list) ? list.filter(isFields) : [];
};

const textIn = (value: Fields, field: string): string => {
  const text = value[field];
  return typeof text === "string" ? text : "";
};

const textsIn = (value: Fields, field: string): string[] => {
  const list = value[field];
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
};

/** The ids on a line such as `Behaviours: B1, B2` of a task's body. */
export function behavioursNamed(body: string): string[] {
  const lines = body.matchAll(/^[ \t>*_-]*behaviou?rs[*_]*\s*:[*_]*\s*(\S.*)$/gim);
  const ids = [...lines].flatMap(([, list]) => (list as string).split(/[\s,;]+/));
  return [
    ...new Set(
      ids.map((id) => id.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, "")).filter((id) => id !== ""),
    ),
  ];
}

export function expandBehaviours(map: unknown, ids: readonly string[]): ExpandedBehaviour[] {
  const found: ExpandedBehaviour[] = [];
  for (const domain of listIn(map, "domains")) {
    for (const capability of listIn(domain, "capabilities")) {
      for (const behaviour of listIn(capability, "behaviours")) {
        const id = textIn(behaviour, "id");
        if (!ids.includes(id)) continue;
        found.push({
          id,
          name: textIn(behaviour, "name"),
          type: textIn(behaviour, "type"),
          quote: textIn(behaviour, "quote"),
          requirements: textsIn(behaviour, "requirements"),
          capability: textIn(capability, "name"),
          domain: textIn(domain, "name"),
        });
      }
    }
  }
  return found.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** By path. The purpose given for one of these behaviours wins over another. */
export function purposesIn(fileMap: unknown, behaviours: readonly string[]): Map<string, FilePurpose> {
  const entries = listIn(fileMap, "behaviours");
  const own = entries.filter((entry) => behaviours.includes(textIn(entry, "behaviour")));
  const files = [...own, ...entries].flatMap((entry) => listIn(entry, "files"));
  const purposes = new Map<string, FilePurpose>();
  for (const file of [...files, ...listIn(fileMap, "crossCutting")]) {
    const path = textIn(file, "path");
    if (!purposes.has(path)) purposes.set(path, { action: textIn(file, "action"), purpose: textIn(file, "purpose") });
  }
  return purposes;
}
