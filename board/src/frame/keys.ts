// Keys of the whole page. The part that was opened last is asked first. A field keeps its letters.

import { useEffect, useRef } from "react";
import { signal } from "../api/signal.js";

export type KeyTable = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const stack: { current: KeyTable }[] = [];
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
  for (const { current } of [...stack].reverse()) {
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
  const held = useRef(table);
  held.current = table;
  useEffect(() => {
    stack.push(held);
    return () => {
      stack.splice(stack.indexOf(held), 1);
    };
  }, []);
}
