// The first state of a planning run.

import {
  DEFAULT_LIMITS,
  type Limits,
  type Machine,
  type Mode,
  ROLES,
  type Role,
  STAGES,
  type Stage,
} from "./machine.js";

const PATHS: Readonly<Record<Mode, readonly Stage[]>> = {
  new: STAGES,
  quick: STAGES.filter((stage) => stage !== "capabilities" && stage !== "files"),
  revise: STAGES.filter((stage) => stage !== "capabilities" && stage !== "files"),
  expand: STAGES.filter((stage) => stage !== "capabilities" && stage !== "files"),
  review: ["intake", "review", "overview", "approval"],
};

export interface Beginning {
  readonly mode: Mode;
  /** Roles that an agent or a program serves. */
  readonly served: readonly Role[];
  /** How many parts the spec is worked in. */
  readonly parts?: number;
  /** Leave out the stages before this one: their artifacts are there. */
  readonly from?: Stage;
  /** A changed spec is mapped again, also when a plan is revised. */
  readonly mapped?: boolean;
  /** A person wrote the draft: it is put in order, linted and shown to them. */
  readonly edited?: boolean;
  readonly limits?: Partial<Limits>;
}

export function pathOf({ mode, from, mapped = false }: Beginning): readonly Stage[] {
  const whole = mapped && mode === "revise" ? PATHS.new : PATHS[mode];
  if (from === undefined) return whole;
  const first = STAGES.indexOf(from);
  return whole.filter((stage) => stage === "intake" || STAGES.indexOf(stage) >= first);
}

/** Picks these fields: the given settings may hold more, and the state is stored. */
const limitsOf = (given: Partial<Limits> = {}): Limits => ({
  revisions: given.revisions ?? DEFAULT_LIMITS.revisions,
  overviews: given.overviews ?? DEFAULT_LIMITS.overviews,
  repairs: given.repairs ?? DEFAULT_LIMITS.repairs,
});

export function begin(beginning: Beginning): Machine {
  const { mode, served, parts = 1, limits } = beginning;
  return {
    mode,
    path: pathOf(beginning),
    stage: "intake",
    wait: { for: "nothing" },
    served: Object.fromEntries(ROLES.map((role) => [role, served.includes(role)])) as Record<Role, boolean>,
    limits: limitsOf(limits),
    parts: Math.max(1, parts),
    round: 0,
    overviews: 0,
    before: { rounds: 0, overviews: 0 },
    calls: 0,
    conformanceFirst: false,
    conformance: null,
    errors: [],
    high: { critic: [], overviewer: [] },
    feedback: [],
    declined: [],
    requested: null,
    edited: beginning.edited ?? false,
    skipped: [],
    accepted: null,
    end: null,
    verdict: null,
  };
}
