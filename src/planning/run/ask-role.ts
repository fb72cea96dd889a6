// Asks a role.

import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { watchChanges } from "../../plan/history/watch-changes.js";
import type { RoleAsk } from "../machine/machine.js";
import type { Project } from "../project.js";
import { OUTLINE } from "../roles/agents.js";
import type { ReadingFolder } from "../roles/reading-folder.js";
import { callsOf } from "./calls.js";
import type { Hooks, PlanningServices } from "./services.js";
import { type Driver, type Run, readRun } from "./stored-run.js";

/** Names of files that are kept with a call. */
const WRITTEN_KEPT = 20;

export class ReadingDesk {
  readonly #services: PlanningServices;
  readonly #hooks: Hooks;
  readonly #run: string;
  #folder: ReadingFolder | undefined;
  #hasLooked = false;

  constructor(services: PlanningServices, hooks: Hooks, run: string) {
    this.#services = services;
    this.#hooks = hooks;
    this.#run = run;
  }

  /** The project as it is now. Says once what of your checkout no role sees. */
  async open({ intake }: Run): Promise<Project> {
    const project = await this.#services.readProject("commit");
    if (this.#hasLooked) return project;
    this.#hasLooked = true;
    await this.clear();
    // Their texts are in the prompt.
    const files = (await project.unseen()).filter((file) => file !== intake.source && file !== intake.roadmap);
    if (project.commit !== null && files.length > 0) {
      this.#hooks.onProgress({ type: "unseen", commit: project.commit, files });
    }
    return project;
  }

  /** The folder to start an agent in; a program needs none. */
  async layOut(agent: string, project: Project): Promise<Result<string>> {
    const { context, readingFolder } = this.#services;
    if (agent === OUTLINE) return ok(context.root);
    this.#folder ??= await readingFolder(this.#run);
    return this.#folder.layOut(project);
  }

  /** What the agent wrote although it may only read. Said once in a run. */
  async written({ role, stage }: RoleAsk): Promise<readonly string[]> {
    const { context, redact } = this.#services;
    const found = ((await this.#folder?.written()) ?? []).map(redact);
    if (found.length === 0) return [];
    const before = await context.store.read((reader) => callsOf(reader, this.#run));
    if (!before.some(({ fields }) => fields.wrote !== undefined)) {
      this.#hooks.onProgress({ type: "warned", role, stage, message: describeWritten(found) });
    }
    return found.length > WRITTEN_KEPT
      ? [...found.slice(0, WRITTEN_KEPT), `and ${found.length - WRITTEN_KEPT} more`]
      : found;
  }

  letGo(): void {
    this.#folder?.letGo();
    this.#folder = undefined;
  }

  /** What cannot be removed now is removed when planning starts the next time, or by `gc`. */
  async clear(): Promise<void> {
    await this.#services.removeReadingFolders().catch(() => undefined);
  }
}

const WRITTEN_SHOWN = 5;

/** Said once in a run. */
function describeWritten(files: readonly string[]): string {
  const more = files.length > WRITTEN_SHOWN ? ` and ${files.length - WRITTEN_SHOWN} more` : "";
  return `It may only read, but wrote ${files.slice(0, WRITTEN_SHOWN).join(", ")}${more} in its own copy of the files. The copy is thrown away.`;
}

const WATCH_GAP_MS = 500;

/** Calls `stop` when the run is no longer this driver's. The result ends the watch. */
export function watchRun(context: Context, key: string, driver: Driver, stop: () => void): () => void {
  const ending = new AbortController();
  void watchUntil(context, key, driver, ending.signal).then((isLost) => {
    if (isLost) stop();
  });
  return () => ending.abort();
}

async function watchUntil({ store }: Context, key: string, driver: Driver, signal: AbortSignal): Promise<boolean> {
  const isLost = (): Promise<boolean> =>
    store
      .read((reader) => readRun(reader, key))
      // A store that cannot be read for a moment is no reason to stop: the next step finds out.
      .then(
        (run) => run.ok && run.value.fields.driver?.by !== driver.by,
        () => false,
      );
  const seen = await store.read((reader) => reader.lastOperation()).catch(() => 0);
  if (await isLost()) return true;
  for await (const _ of watchChanges(store, seen, { signal, gapMs: () => WATCH_GAP_MS }))
    if (await isLost()) return true;
  return false;
}
