// Keys of the whole page. The part that was opened last is asked first. A field keeps its letters. While a dialog is open, only keys of
// that dialog act.

import { createContext, useContext, useEffect, useLayoutEffect, useRef } from "react";
import { signal } from "../api/signal.js";

export type KeyTable = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Which dialog the keys belong to; null for those of the page. */
export const KeyLayer = createContext<symbol | null>(null);

const stack: { readonly table: () => KeyTable; readonly layer: symbol | null }[] = [];
/** The dialogs that are open, the top one last. */
const layers: symbol[] = [];
const STORED = "planwright.keys";

/** Single letters can be turned off: some people's tools type them. */
export const letterKeys = signal(localStorage.getItem(STORED) !== "off");

export const setLetterKeys = (on: boolean): void => {
  localStorage.setItem(STORED, on ? "on" : "off");
  letterKeys.set(on);
};

/** `ctrl+k`, `shift+u`, `j`, `Escape`. */
function nameOf(event: KeyboardEvent): string {
  const control = event.ctrlKey || event.metaKey ? "ctrl+" : "";
  const isLetter = /^[a-zA-Z]$/.test(event.key);
  const shift = event.shiftKey && (isLetter || event.key.length > 1) ? "shift+" : "";
  return `${control}${shift}${isLetter ? event.key.toLowerCase() : event.key}`;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type !== "radio" && target.type !== "checkbox"));

const isOwn = (target: EventTarget | null, key: string): boolean =>
  (key === "Enter" || key === " ") && target instanceof Element && target.closest("button, a, summary") !== null;

/** A first key that waits for a second one: `g` then `t`. */
let prefix = "";

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const name = nameOf(event);
  const isPlain = name.length === 1 || /^shift\+.$/.test(name);
  if (isField(event.target) && (isPlain || !/^(ctrl\+|Escape)/.test(name))) return;
  if (isPlain && !letterKeys.get() && name !== " ") return;
  if (isOwn(event.target, event.key)) return;
  const full = prefix === "" ? name : `${prefix} ${name}`;
  prefix = "";
  const top = layers.at(-1) ?? null;
  for (const { table } of stack.filter(({ layer }) => layer === top).reverse()) {
    const current = table();
    const act = current[full];
    if (act) {
      event.preventDefault();
      act(event);
      return;
    }
    if (Object.keys(current).some((key) => key.startsWith(`${name} `)) && full === name) {
      prefix = name;
      return;
    }
  }
}

window.addEventListener("keydown", onKey);

export function useKeys(table: KeyTable): void {
  const layer = useContext(KeyLayer);
  const held = useRef(table);
  held.current = table;
  useEffect(() => {
    const entry = { table: () => held.current, layer };
    stack.push(entry);
    return () => {
      stack.splice(stack.indexOf(entry), 1);
    };
  }, [layer]);
}

/** Keeps the keys of everything below from acting while the dialog is open. Its parts find the answer in `KeyLayer`. */
export function useKeyLayer(): symbol {
  const layer = useRef(Symbol("dialog")).current;
  useLayoutEffect(() => {
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [layer]);
  return layer;
}
