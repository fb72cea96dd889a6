// The stop hook of a coding agent: is a task of its own still open? How often the agent was kept from stopping is counted
// in a small file beside the plan, for each session, and not in the log.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIVE } from "../../graph/item/item.js";
import type { NextStep } from "../../graph/next-step.js";
import { ok, type Result } from "../../graph/result.js";
import { type HeldTask, type Marker, markerOf, stopDecision } from "../../graph/rules/stop-hook.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../context.js";
import { MOST_CLAIMS } from "./list-claims.js";

export interface StopInput {
  /** The host's name for the conversation. */
  readonly session: string;
  /** The host says that the agent goes on only because a hook asked it to. */
  readonly active: boolean;
  /** Where the agent works. */
  readonly cwd: string;
  /** The task that the session was started for. */
  readonly task: string | null;
  /** The actor was given, not guessed from the environment. */
  readonly isSaid: boolean;
}

/** Empty lets the agent stop. */
export type HookAnswer =
  | { readonly decision: "block"; readonly reason: string; readonly next: readonly NextStep[] }
  | Record<string, never>;

export async function stopHook(context: Context, input: StopInput): Promise<Result<HookAnswer>> {
  const held = await context.store.read(heldTasks);
  const asking = { ...input, actor: context.actor, now: context.now(), cwd: real(input.cwd) };
  const marker = markerOf(held, asking);
  const counter = new Counter(context, input.session, marker);
  const decision = stopDecision(marker, { blocks: counter.read(), active: input.active });
  if (!decision.block) {
    if (decision.cleanUp) counter.forget();
    return ok({});
  }
  // Without a count the agent could be kept for ever.
  const { reason, next, blocks } = decision;
  return ok(counter.write(blocks) ? { decision: "block", reason, next } : {});
}

async function heldTasks(reader: Reader): Promise<HeldTask[]> {
  const attempts = await reader.items("attempt", { state: LIVE });
  const worktrees = new Map(attempts.map(({ fields }) => [fields.task, fields.worktree]));
  return (await reader.claimed({ limit: MOST_CLAIMS })).flatMap(({ nr, id, title, claim }) => {
    const worktree = worktrees.get(nr) ?? null;
    return claim ? [{ id, title, by: claim.by, until: claim.until, worktree: worktree && real(worktree) }] : [];
  });
}

/** Without links: hosts differ in which name of a folder they give. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const FOLDER = "stops";

/** A conversation that was left behind is over by then. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

class Counter {
  readonly #folder: string;
  readonly #file: string;
  readonly #now: number;
  readonly #task: string | null;

  constructor(context: Context, session: string, marker: Marker | null) {
    this.#folder = join(context.root, ".planwright", FOLDER);
    const name = createHash("sha256")
      .update(JSON.stringify([context.actor, session]))
      .digest("hex")
      .slice(0, 32);
    this.#file = join(this.#folder, name);
    this.#now = context.now();
    this.#task = marker?.id ?? null;
  }

  /** Counts only for the same task. */
  read(): number {
    try {
      const { task, blocks } = JSON.parse(readFileSync(this.#file, "utf8")) as { task: unknown; blocks: unknown };
      return typeof blocks === "number" && (this.#task === null || task === this.#task) ? blocks : 0;
    } catch {
      return 0;
    }
  }

  write(blocks: number): boolean {
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(this.#file, JSON.stringify({ task: this.#task, blocks }));
      this.#sweep();
      return true;
    } catch {
      return false;
    }
  }

  forget(): void {
    rmSync(this.#file, { force: true });
  }

  #sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? this.#now;
      if (this.#now - touched > FORGOTTEN_MS) rmSync(file, { force: true });
    }
  }
}
