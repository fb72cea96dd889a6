// What carries a plan out, as interfaces and programs see it.

import type { Triaged } from "../../actions/question/triage.js";
import type { Result } from "../../graph/result.js";
import type { HandWork } from "../hand-work/hand-work.js";
import type { Landing, LandRequest } from "../landing/land.js";
import type { Daemon } from "./background.js";
import type { Worked, WorkOptions } from "./run-session.js";
import type { ServeOptions } from "./serve.js";
import type { EngineEvent } from "./services.js";

export interface Workshop {
  work(options: WorkOptions): Promise<Result<Worked>>;
  /** Until it is asked to end. */
  serve(options: DaemonOptions): Promise<Result<void>>;
  readonly background: {
    find(): Daemon | undefined;
    start(words: readonly string[]): Result<Daemon>;
    stop(): Promise<Result<Daemon>>;
    readonly log: string;
  };
  /** What a person does themselves, with the same worktrees and checks. */
  readonly byHand: HandWork;
  /** As whoever typed it: only a person lands by hand. */
  land(reference: string, options: LandRequest): Promise<Result<Landing>>;
  /** As whoever typed it. Checks that have to prove something run as in an attempt. */
  confirmTriage(id: string): Promise<Result<Triaged>>;
  /** How long unmerged work is kept. */
  readonly keepDays: number;
}

export interface DaemonOptions extends ServeOptions {
  readonly workers?: number;
  /** Rings the terminal's bell. */
  readonly ring: () => void;
  readonly onEvent: (event: EngineEvent) => void;
}
