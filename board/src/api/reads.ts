// Answers of the server, kept by what was asked. What is on the screen is asked again when the plan changes; what was there
// stays until the new answer is there.

import { useCallback, useMemo, useRef, useSyncExternalStore } from "react";
import { useMoment } from "../frame/route.js";
import { ask } from "./client.js";
import { keepSame } from "./keep-same.js";
import { type ChangedRow, patched } from "./patch-rows.js";
import type { ApiFailure, Input, Output, VerbName } from "./types.js";

export interface Read<T> {
  readonly data: T | undefined;
  readonly error: ApiFailure | undefined;
  readonly loading: boolean;
}

interface Entry {
  readonly name: VerbName;
  readonly input: unknown;
  readonly at: number | null;
  value: Read<unknown>;
  text: string;
  busy: boolean;
  /** Stops the request that is under way when nothing shows its answer any more. */
  stop: AbortController;
  /** Asked for again while it was being asked. */
  again: boolean;
  /** It is asked for again no sooner than this: what takes long is asked for less often. */
  notBefore: number;
  later: ReturnType<typeof setTimeout> | undefined;
  readonly listeners: Set<() => void>;
}

const NOTHING: Read<never> = { data: undefined, error: undefined, loading: true };
const entries = new Map<string, Entry>();
/** Answers that are not on the screen: enough to go back and forth between views at once. */
const KEPT = 60;

function entryOf(key: string, name: VerbName, input: unknown, at: number | null): Entry {
  const known = entries.get(key);
  if (known) {
    entries.delete(key);
    entries.set(key, known);
    return known;
  }
  const entry: Entry = {
    name,
    input,
    at,
    value: NOTHING,
    text: "",
    busy: false,
    stop: new AbortController(),
    again: false,
    notBefore: 0,
    later: undefined,
    listeners: new Set(),
  };
  entries.set(key, entry);
  for (const [old, { listeners }] of entries) {
    if (entries.size <= KEPT) break;
    if (listeners.size === 0 && old !== key) entries.delete(old);
  }
  return entry;
}

function publish(entry: Entry, value: Read<unknown>): void {
  entry.value = value;
  for (const listener of entry.listeners) listener();
}

let loading = 0;

/** Says on the page itself whether anything is still being read. */
function showBusy(by: 1 | -1): void {
  loading += by;
  document.getElementById("main")?.setAttribute("aria-busy", String(loading > 0));
}

const LONGEST_WAIT_MS = 10_000;

/** Asks when its time has come. */
function loadSoon(entry: Entry): void {
  const wait = entry.notBefore - performance.now();
  if (wait <= 0) void load(entry);
  else
    entry.later ??= setTimeout(() => {
      entry.later = undefined;
      if (entry.listeners.size > 0) void load(entry);
    }, wait);
}

async function load(entry: Entry): Promise<void> {
  if (entry.busy) {
    entry.again = true;
    return;
  }
  entry.busy = true;
  entry.stop = new AbortController();
  showBusy(1);
  const began = performance.now();
  const { signal } = entry.stop;
  const { answer, text } = await ask(entry.name, entry.input as Input<VerbName>, entry.at, signal);
  entry.busy = false;
  showBusy(-1);
  if (signal.aborted) {
    entry.again = false;
    if (entry.listeners.size > 0) loadSoon(entry);
    return;
  }
  const took = performance.now() - began;
  entry.notBefore = performance.now() + Math.min(LONGEST_WAIT_MS, took > 100 ? 2 * took : 0);
  if (!answer.ok) publish(entry, { data: entry.value.data, error: answer.error, loading: false });
  else if (text !== entry.text || entry.value.error) {
    entry.text = text;
    publish(entry, { data: keepSame(entry.value.data, answer.data), error: undefined, loading: false });
  }
  if (entry.again) {
    entry.again = false;
    loadSoon(entry);
  }
}

/** Long enough for the next view to ask for the same. */
const LEFT_MS = 50;

/** What a view that was left has asked for holds up what the next one asks for. */
function stopIfLeft(entry: Entry): void {
  if (!entry.busy || entry.listeners.size > 0) return;
  setTimeout(() => {
    if (entry.busy && entry.listeners.size === 0) entry.stop.abort();
  }, LEFT_MS);
}

/** Answers that have rows of the tree in them. */
const WITH_ROWS: ReadonlySet<VerbName> = new Set<VerbName>(["status", "children", "list"]);

const anything = (): boolean => true;
const withRows = ({ name }: Entry): boolean => WITH_ROWS.has(name);
const withoutRows = ({ name }: Entry): boolean => !WITH_ROWS.has(name);

/** Asks again for what is on the screen. The past does not change. */
export function refresh(which: (entry: Entry) => boolean = anything): void {
  for (const [key, entry] of entries) {
    if (entry.at !== null || !which(entry)) continue;
    if (entry.listeners.size > 0) loadSoon(entry);
    else entries.delete(key);
  }
}

const GATHER_MS = 100;
/** Rows that were patched are compared with the server's so long after the first patch, however many follow. */
const COMPARE_MS = 700;
let gathering: ReturnType<typeof setTimeout> | undefined;
let gathered: (entry: Entry) => boolean = withoutRows;
let comparing: ReturnType<typeof setTimeout> | undefined;

function gather(which: (entry: Entry) => boolean): void {
  if (which === anything) gathered = anything;
  gathering ??= setTimeout(() => {
    const wanted = gathered;
    gathering = undefined;
    gathered = withoutRows;
    refresh(wanted);
  }, GATHER_MS);
}

/** The same, once for many changes at the same time. */
export const refreshSoon = (): void => gather(anything);

/** Puts the rows that changed into the answers that are on the screen. Everything else is asked for again. */
export function patchRows(rows: readonly ChangedRow[]): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const entry of entries.values()) {
    if (entry.at !== null || !withRows(entry) || entry.value.data === undefined) continue;
    const data = patched(entry.value.data, byId);
    if (data !== entry.value.data) {
      entry.text = "";
      publish(entry, { ...entry.value, data });
    }
  }
  gather(withoutRows);
  comparing ??= setTimeout(() => {
    comparing = undefined;
    refresh(withRows);
  }, COMPARE_MS);
}

/** Reads an operation, now or at the moment that the page shows. Null asks nothing. */
export function useRead<Name extends VerbName>(
  name: Name,
  input: Input<Name> | null,
  options: { readonly now?: boolean } = {},
): Read<Output<Name>> & { readonly again: () => void } {
  const shown = useMoment();
  const at = options.now ? null : shown;
  const key = input === null ? null : `${name} ${at ?? ""} ${JSON.stringify(input)}`;
  const watch = useCallback(
    (listener: () => void) => {
      if (key === null) return () => undefined;
      const entry = entryOf(key, name, input, at);
      const isFirst = entry.listeners.size === 0;
      entry.listeners.add(listener);
      if (isFirst && (at === null || entry.value.data === undefined)) void load(entry);
      return () => {
        entry.listeners.delete(listener);
        stopIfLeft(entry);
      };
    },
    // The key says everything about name, input and moment.
    [key],
  );
  const get = useCallback(() => (key === null ? NOTHING : (entries.get(key)?.value ?? NOTHING)), [key]);
  const value = useSyncExternalStore(watch, get) as Read<Output<Name>>;
  const again = useCallback(() => {
    const entry = key === null ? undefined : entries.get(key);
    if (entry) void load(entry);
  }, [key]);
  return { ...value, again };
}

/** The same for several inputs at once; those that are not there yet are undefined. */
export function useReads<Name extends VerbName>(
  name: Name,
  inputs: readonly Input<Name>[],
): readonly (Output<Name> | undefined)[] {
  const at = useMoment();
  const all = JSON.stringify(inputs);
  const keys = useMemo(() => inputs.map((input) => `${name} ${at ?? ""} ${JSON.stringify(input)}`), [name, at, all]);
  const last = useRef<readonly unknown[]>([]);
  const watch = useCallback(
    (listener: () => void) => {
      const watched = keys.map((key, index) => {
        const entry = entryOf(key, name, inputs[index], at);
        const isFirst = entry.listeners.size === 0;
        entry.listeners.add(listener);
        if (isFirst && (at === null || entry.value.data === undefined)) void load(entry);
        return entry;
      });
      return () => {
        for (const entry of watched) {
          entry.listeners.delete(listener);
          stopIfLeft(entry);
        }
      };
    },
    [keys],
  );
  const get = useCallback(() => {
    const next = keys.map((key) => entries.get(key)?.value.data);
    const isSame = next.length === last.current.length && next.every((each, index) => each === last.current[index]);
    if (!isSame) last.current = next;
    return last.current;
  }, [keys]);
  return useSyncExternalStore(watch, get) as readonly (Output<Name> | undefined)[];
}
