// What a run was asked for. All of it is kept, so that resuming needs nothing else.

import type { Effort } from "../../machine/agents/agent.js";
import type { LintLevel } from "../lint/finding.js";
import type { Mode, Stage } from "../machine/machine.js";

export interface Intake {
  readonly mode: Mode;
  /** Where the spec came from; a `node` is its own spec. */
  readonly kind: "idea" | "file" | "stdin" | "node";
  /** The file, relative to the workspace. */
  readonly source: string | null;
  readonly from: Stage | null;
  /** The run whose plan this one revises or continues. Runs of earlier versions lack it. */
  readonly earlier?: string | null;
  readonly stack: string | null;
  readonly target: string | null;
  /** A file of the project to read as a roadmap, besides those that are found by name. */
  readonly roadmap?: string | null;
  /** Serves every role, whatever the configuration says. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly effort: Effort | null;
  /** Without lessons of earlier work. */
  readonly clean: boolean;
  readonly research: boolean;
  readonly level: LintLevel;
  readonly timeoutMs: number;
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
  /** Take the default of every question instead of asking. */
  readonly defaults: boolean;
  /** Started by `expand`, which takes only nodes that can have children. */
  readonly addsOnly?: boolean;
  /** The captured idea of the inbox that is planned into features. It is retired when the plan is applied. */
  readonly idea?: string | null;
  /** The plan documents are to be committed to git here once a person has approved. */
  readonly commitTo: string | null;
}
