// The stop hook of a coding agent: is a task of its own still open? How often the agent was kept from stopping is counted
// in a small file beside the plan, for each session, and not in the log.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { LIVE } from "../../model/item/item.js";
import type { NextStep } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import type { Asking, HeldTask, Marker } from "../../model/rules/hooks.js";
import { markerOf, ownClaims, stopDecision } from "../../model/rules/hooks.js";
import type { Context } from "../../plan/base/context.js";
import { hashed, sessionOfClaim } from "../../plan/claim/session-notes.js";
import { MOST_CLAIMS } from "../claim/list.js";

/** A conversation of a coding agent, as its host describes it to a hook. */
export interface HookCaller extends Pick<Asking, "session" | "cwd" | "task" | "isSaid"> {}

export interface StopInput extends HookCaller {
  /** The host says that the agent goes on only because a hook asked it to. */
  readonly active: boolean;
}

/** Empty lets the agent stop. */
export type HookAnswer =
  | { readonly decision: "block"; readonly reason: string; readonly next: readonly NextStep[] }
  | Record<string, never>;

export async function stopHook(context: Context, input: StopInput): Promise<Result<HookAnswer>> {
  const held = await heldTasks(context);
  const marker = markerOf(held, askingAs(context, input));
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

/** The tasks that this conversation has claimed itself and not handed in. */
export async function tasksOfCaller(context: Context, caller: HookCaller): Promise<readonly Node[]> {
  const held = await heldTasks(context);
  return ownClaims(held, askingAs(context, caller)).map(({ node }) => node);
}

const askingAs = ({ actor, now }: Context, caller: HookCaller): Asking => ({
  ...caller,
  session: hashed(caller.session),
  actor,
  now: now(),
  cwd: real(caller.cwd),
});

const heldTasks = ({ store, root }: Context): Promise<(HeldTask & { readonly node: Node })[]> =>
  store.read(async (reader) => {
    const attempts = await reader.items("attempt", { state: LIVE });
    const worktrees = new Map(attempts.map(({ fields }) => [fields.task, fields.worktree]));
    return (await reader.claimed({ limit: MOST_CLAIMS })).flatMap((node) => {
      const { nr, id, title, epoch, claim } = node;
      const worktree = worktrees.get(nr) ?? null;
      const session = sessionOfClaim(root, { id, epoch });
      return claim
        ? [{ id, title, by: claim.by, until: claim.until, worktree: worktree && real(worktree), session, node }]
        : [];
    });
  });

/** Without links: hosts differ in which name of a folder they give. */
export function real(path: string): string {
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
      const { task, blocks } = JSON.parse(readPlainFile(this.#file)) as { task: unknown; blocks: unknown };
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
