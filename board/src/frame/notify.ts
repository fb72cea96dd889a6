// Tells you what waits: an amber dot on the icon, and the browser's own notifications if you turned them on. Several within a
// minute become one.

import { heardOperations } from "../api/live.js";
import { signal } from "../api/signal.js";
import type { WaitingEntry } from "../api/types.js";

const STORED = "planwright.notify";

export type NotifyState = "off" | "on" | "denied";

const canNotify = (): boolean => "Notification" in window;

function stateNow(): NotifyState {
  if (!canNotify() || Notification.permission === "denied") return "denied";
  return localStorage.getItem(STORED) === "on" && Notification.permission === "granted" ? "on" : "off";
}

export const notifyState = signal<NotifyState>(stateNow());

export async function setNotify(on: boolean): Promise<void> {
  if (on && canNotify()) await Notification.requestPermission();
  localStorage.setItem(STORED, on ? "on" : "off");
  notifyState.set(stateNow());
}

const GATHER_MS = 60_000;
let waiting: string[] = [];
let last = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function show(): void {
  timer = undefined;
  const [first, ...more] = waiting;
  if (first === undefined) return;
  waiting = [];
  last = Date.now();
  const title = more.length === 0 ? "Planwright" : `Planwright: ${more.length + 1} things happened`;
  const shown = new Notification(title, {
    body: [first, ...more].slice(0, 3).join("\n"),
    silent: true,
    icon: "/icon.svg",
  });
  shown.addEventListener("click", () => window.focus());
}

function tell(text: string): void {
  if (notifyState.get() !== "on") return;
  waiting.push(text.slice(0, 160));
  timer ??= setTimeout(show, Math.max(0, last + GATHER_MS - Date.now()));
}

/** For screen readers: at most one sentence in five seconds, and only what waits for you. */
export const spoken = signal("");
const SPEAK_MS = 5_000;
let speaking: ReturnType<typeof setTimeout> | undefined;

function speak(text: string): void {
  if (speaking !== undefined) return;
  spoken.set(text);
  speaking = setTimeout(() => {
    speaking = undefined;
  }, SPEAK_MS);
}

let known: ReadonlySet<string> | undefined;

/** What came to the list since it was last seen. The page begins with what is there. */
export function noticeWaiting(entries: readonly Pick<WaitingEntry, "kind" | "id" | "headline">[]): void {
  const before = known;
  known = new Set(entries.map(({ kind, id }) => `${kind} ${id ?? ""}`));
  for (const { kind, id, headline } of before ? entries : []) {
    if (before?.has(`${kind} ${id ?? ""}`)) continue;
    tell(headline);
    speak(`Waits for you: ${headline}`);
  }
  showOnIcon(entries.length > 0);
}

/** Your own landing is no news to you. */
export function startNotifying(own: string): void {
  heardOperations.watch(() => {
    const operation = heardOperations.get();
    if (operation && operation.actor !== own && /\blanded\b/.test(operation.sentence)) tell(operation.sentence);
  });
}

/** An amber dot on the icon of the tab while anything waits for you. */
function showOnIcon(waits: boolean): void {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (link) link.href = waits ? "/icon-waits.svg" : "/icon.svg";
}
