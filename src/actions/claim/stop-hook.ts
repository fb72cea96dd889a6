// The stop hook of a coding agent: is a task of its own still open? How often it was kept from stopping is counted in
// a small file beside the plan, for each session and claim: it is nobody's history.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIVE } from "../../graph/item/item.js";
import { ok, type Result } from "../../graph/result.js";
import { type HeldTask, type Marker, markerOf, stopDecision } from "../../graph/rules/stop-hook.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../context.js";

export interface StopInput {
  /** The host's name for the conversation. */
  readonly session: string;
  /** The host says that the agent goes on only because a hook asked it to. */
  readonly active: boolean;
  /** Where the agent works. */
  readonly cwd: string;
  /** The task that the session was started for. */
  readonly task: string | null;
  /** The actor was said outright, not guessed. */
  readonly isSaid: boolean;
}

/** As hosts read it: empty lets the agent stop. */
export type HookAnswer = { readonly decision: "block"; readonly reason: string } | Record<string, never>;

/** More claims than one plan has at a time. */
const CLAIMS = 10_000;

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
  // What cannot be counted could go on for ever.
  return ok(counter.write(decision.blocks) ? { decision: "block", reason: decision.reason } : {});
}

async function heldTasks(reader: Reader): Promise<HeldTask[]> {
  const attempts = await reader.items("attempt", { state: LIVE });
  const worktrees = new Map(attempts.map(({ fields }) => [fields.task, fields.worktree]));
  return (await reader.claimed({ limit: CLAIMS })).flatMap(({ nr, id, title, claim }) => {
    const worktree = worktrees.get(nr) ?? null;
    return claim ? [{ id, title, by: claim.by, until: claim.until, worktree: worktree && real(worktree) }] : [];
  });
}

/** Without the links on the way: hosts differ in which name of a folder they tell. */
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

  /** Of the same task: another one is kept open anew. */
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
