// What the agents of one run read while a process drives it: the project at a commit, in a folder of their own.

import { ok, type Result } from "../../model/result.js";
import { callsOf } from "../calls/calls.js";
import type { RoleAsk } from "../machine/machine.js";
import type { Project } from "../project.js";
import type { ReadingFolder } from "../roles/reading-folder.js";
import { describeWritten } from "../roles/reply-notes.js";
import type { Run } from "./runs.js";
import { type Hooks, OUTLINE, type PlanningServices } from "./services.js";

/** Names of files that are kept with a call. */
const KEPT = 20;

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
    return found.length > KEPT ? [...found.slice(0, KEPT), `and ${found.length - KEPT} more`] : found;
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
