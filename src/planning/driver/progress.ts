// What a run reports while it works. Interfaces turn it into lines.

import type { AgentEvent } from "../../machine/agents/agent.js";

export type { AgentEvent } from "../../machine/agents/agent.js";

import type { Role, Source, Stage } from "../machine/machine.js";
import type { Coverage } from "../spec/spec.js";
import type { Verdict } from "../verdict.js";

/** The figures of one finished role call. */
export type CallSummary =
  | { readonly role: "researcher"; readonly findings: number }
  | { readonly role: "clarifier"; readonly intent: string; readonly questions: number; readonly assumptions: number }
  | {
      readonly role: "author";
      readonly stage: "capabilities";
      readonly domains: number;
      readonly behaviours: number;
      readonly leftOut: number;
    }
  | { readonly role: "author"; readonly stage: "files"; readonly files: number; readonly behaviours: number }
  | {
      readonly role: "author";
      readonly stage: "tasks";
      readonly revised: boolean;
      readonly features: number;
      readonly initiatives: number;
      readonly stories: number;
      readonly tasks: number;
      readonly decisions: number;
      readonly fixed: number;
      /** Findings that the author would not follow, with its reason. */
      readonly declined: readonly { readonly finding: string; readonly note: string }[];
      /** A revision that changed nothing. */
      readonly unchanged: boolean;
    }
  | {
      readonly role: "critic";
      readonly verdict: Verdict;
      readonly severities: Readonly<Record<string, number>>;
      readonly ratings: Readonly<Record<string, string>>;
      readonly questions: number;
      readonly against: number;
      readonly assessment: string;
    }
  | {
      readonly role: "overviewer";
      readonly verdict: Verdict;
      readonly severities: Readonly<Record<string, number>>;
      readonly questions: number;
      readonly against: number;
      readonly assessment: string;
    };

export type Progress =
  | {
      readonly type: "started";
      readonly run: string;
      readonly mode: string;
      readonly title: string;
      readonly resumed: boolean;
      readonly unserved: readonly Role[];
      readonly agents: Readonly<Partial<Record<Role, string>>>;
      readonly parts: number;
      /** Other runs about the same spec or node that are not over. */
      readonly alsoOpen: readonly string[];
      /** The outline planner serves because there is no agent. */
      readonly standIn: boolean;
    }
  | {
      readonly type: "asking";
      readonly role: Role;
      readonly stage: Stage;
      readonly agent: string;
      readonly model: string | null;
      readonly part: { readonly number: number; readonly of: number };
      readonly repair: number;
    }
  /** Uncommitted files of your checkout, which no role of this run reads. */
  | { readonly type: "unseen"; readonly commit: string; readonly files: readonly string[] }
  | { readonly type: "agent"; readonly event: AgentEvent }
  | {
      readonly type: "answered";
      readonly role: Role;
      readonly stage: Stage;
      readonly round: number;
      readonly summary: CallSummary;
      readonly durationMs: number;
      readonly tokens: number;
      readonly costUsd: number | null;
    }
  /** The answer counts, and there is something that a person should know about how it came. */
  | { readonly type: "warned"; readonly role: Role; readonly stage: Stage; readonly message: string }
  /** A failure that may go away by itself: the same is asked again soon. */
  | {
      readonly type: "retrying";
      readonly role: Role;
      readonly stage: Stage;
      readonly message: string;
      readonly delayMs: number;
    }
  | { readonly type: "sent-back"; readonly role: Role; readonly stage: Stage; readonly problems: readonly string[] }
  | {
      readonly type: "failed";
      readonly role: Role;
      readonly stage: Stage;
      readonly message: string;
      readonly recovery: string;
    }
  | {
      readonly type: "linted";
      readonly round: number;
      readonly verdict: Verdict;
      readonly errors: number;
      readonly warnings: number;
      readonly remarks: number;
      readonly coverage: Coverage | null;
    }
  | {
      readonly type: "sequenced";
      readonly waves: number;
      readonly tasks: number;
      readonly added: number;
      readonly hours: number;
    }
  | { readonly type: "revising"; readonly round: number; readonly because: readonly Source[] }
  | { readonly type: "asked"; readonly escalations: readonly string[] };
