// Landings of this page: the last dry run of each feature, and what is landing or has landed since the page was opened.

import { perform } from "../api/act.js";
import { refreshSoon } from "../api/reads.js";
import { session } from "../api/session.js";
import { signal } from "../api/signal.js";
import type { ApiFailure, Output, Step } from "../api/types.js";

export type Landing = Output<"land">;

export interface Tried {
  readonly at: string;
  readonly landing?: Landing;
  readonly error?: ApiFailure;
}

export interface LandState {
  readonly feature: string;
  readonly busy: "dry" | "landing" | null;
  /** What was asked for. */
  readonly step?: Step;
  /** The last dry run, or what refused the landing. */
  readonly tried?: Tried;
  /** It has landed from this page. */
  readonly landed?: Landing;
}

export const landings = signal<ReadonlyMap<string, LandState>>(new Map());

/** Dry runs outlive the page: they take minutes where checks do. */
const place = (feature: string): string => `planwright.dry-run.${session.get()?.root ?? ""}.${feature}`;

function stored(feature: string): Tried | undefined {
  try {
    return JSON.parse(localStorage.getItem(place(feature)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

export const landingOf = (known: ReadonlyMap<string, LandState>, feature: string): LandState => {
  const tried = known.has(feature) ? undefined : stored(feature);
  return known.get(feature) ?? { feature, busy: null, ...(tried && { tried }) };
};

const set = (state: LandState): void => landings.update((known) => new Map([...known, [state.feature, state]]));

export const forget = (feature: string): void =>
  landings.update((known) => new Map([...known].filter(([each]) => each !== feature)));

/** Tries a landing, or lands: the server proves everything in both cases. */
export async function land(feature: string, step: Step, dryRun: boolean): Promise<void> {
  const before = landingOf(landings.get(), feature);
  if (before.busy !== null) return;
  set({ ...before, step, busy: dryRun ? "dry" : "landing" });
  const answer = await perform("land", { ...step.input, ...(dryRun ? { dryRun } : { yes: true }) });
  const at = new Date().toISOString();
  if (!answer.ok) {
    const isDeclined = answer.error.reason === "declined";
    return set({ ...before, busy: null, ...(!isDeclined && { tried: { at, error: answer.error } }) });
  }
  const landing = answer.data as Landing;
  if (dryRun) {
    localStorage.setItem(place(feature), JSON.stringify({ at, landing }));
    set({ feature, busy: null, tried: { at, landing } });
  } else {
    localStorage.removeItem(place(feature));
    set({ feature, busy: null, landed: landing });
  }
  refreshSoon();
}
