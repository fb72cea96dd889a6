// What `run` would do now: which task each worker would get, and what holds the others. Claims and writes nothing.

import type { AttemptWorker } from "../../model/attempt/attempt.js";
import { type Occupied, occupiedBy, overlapsOf } from "../../model/conflict/conflict.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import type { Asker } from "../../model/status/holds.js";
import { resolve } from "../../plan/resolve.js";
import { requireRepository } from "../attempt/require-repository.js";
import type { EngineServices } from "../services.js";
import { EngineHolds } from "./engine-holds.js";
import { type NotStarted, toNotStarted } from "./run-session.js";

export interface PlannedAttempt {
  readonly task: string;
  readonly title: string;
  /** Who would do it. */
  readonly worker: AttemptWorker;
  /** Tasks of this list that touch the same files and come first. */
  readonly after: readonly string[];
}

export interface RunPreview {
  /** In the order in which they would begin. */
  readonly planned: readonly PlannedAttempt[];
  /** Ready tasks that would not begin, and why. */
  readonly held: readonly NotStarted[];
  /** There are more ready tasks than were looked at. */
  readonly more: boolean;
}

export interface PreviewOptions {
  readonly task?: string;
  readonly within?: string;
  readonly asker: Asker;
}

/** More than one screen. */
const LOOKED_AT = 200;

export async function previewRun(
  services: Omit<EngineServices, "onEvent">,
  { task, within, asker }: PreviewOptions,
): Promise<Result<RunPreview>> {
  const repository = await requireRepository(services.context);
  if (!repository.ok) return repository;
  const ready = await readyTasks(services, task, within);
  if (!ready.ok) return ready;
  const holds = new EngineHolds({ ...services, onEvent: () => undefined });
  const planned: PlannedAttempt[] = [];
  const held: NotStarted[] = [];
  const before: Occupied[] = [];
  for (const node of ready.value.slice(0, LOOKED_AT)) {
    const looked = await holds.look(node, asker);
    if (!("worker" in looked)) {
      held.push(toNotStarted(node.id, looked.held[0]));
      continue;
    }
    const after = overlapsOf(node, before).map(({ id }) => id);
    planned.push({ task: node.id, title: node.title, worker: looked.worker.as, after });
    before.push(...occupiedBy([node]));
  }
  return ok({ planned, held, more: ready.value.length > LOOKED_AT });
}

async function readyTasks(
  { context }: Pick<EngineServices, "context">,
  task: string | undefined,
  within: string | undefined,
): Promise<Result<Node[]>> {
  const { store, actor } = context;
  return store.read(async (reader) => {
    const reference = task ?? within;
    const found = reference === undefined ? undefined : await resolve(reader, reference, actor);
    if (found && !found.ok) return found;
    if (task !== undefined && found) return ok([found.value]);
    return ok(await reader.claimable({ limit: LOOKED_AT + 1, ...(found ? { within: found.value } : {}) }));
  });
}
