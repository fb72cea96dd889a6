// At level auto the engine confirms what triage suggests and it can prove, a few in each tick. What it could not prove
// is tried again only when something about it has changed.

import { setUpWorktree } from "../../machine/worktrees/carry.js";
import { ok } from "../../model/result.js";
import { maySettleAlone } from "../../model/rules/triage.js";
import { confirmTriage, type Triaged } from "../../plan/answer/triage.js";
import { type Evidence, evidenceOf } from "../../plan/answer/triage-evidence.js";
import { type Case, caseOf } from "../../plan/answer/triage-facts.js";
import { readLevels } from "../../plan/level/level.js";
import type { Reader } from "../../store/store.js";
import type { EngineServices } from "../services.js";
import { sandboxIn } from "../worktree/attempt-worktree.js";

/** Checks may have to run for each. */
const AT_ONCE = 2;

type Needed = Pick<EngineServices, "context" | "policy" | "redact">;

/** Checks run as in an attempt: in a worktree that is set up, in its sandbox, without secrets in what is kept. */
export function provingEvidence(services: Needed): Evidence {
  const { context, policy, redact } = services;
  const { root } = context;
  return evidenceOf(context, async (worktree) => {
    const env = await context.commandEnvironment();
    const sandbox = await sandboxIn(services, worktree, env);
    if (!sandbox.ok) return sandbox;
    const { wrap } = sandbox.value;
    const usable = await setUpWorktree({ root, worktree, policy, env, wrap, redact });
    return usable.ok ? ok({ wrap, redact }) : usable;
  });
}

export class TriagePass {
  readonly #services: Needed;
  readonly #evidence: Evidence;
  /** What each question looked like when it could not be proven. */
  readonly #unproven = new Map<string, string>();

  constructor(services: Needed) {
    this.#services = services;
    this.#evidence = provingEvidence(services);
  }

  /** What it settled. */
  async turn(most = AT_ONCE): Promise<Triaged[]> {
    const { context } = this.#services;
    const cases = await context.store.read((reader) => this.#worthTrying(reader));
    const settled: Triaged[] = [];
    for (const each of cases.slice(0, most)) {
      const { key } = each.escalation;
      const confirmed = await confirmTriage(context, key, this.#evidence);
      if (confirmed.ok) settled.push(confirmed.value);
      else this.#unproven.set(key, picture(each));
    }
    return settled;
  }

  async #worthTrying(reader: Reader): Promise<Case[]> {
    const levelOf = await readLevels(reader);
    const found: Case[] = [];
    for (const item of await reader.items("escalation", { state: "open" })) {
      if (!maySettleAlone(item.fields.kind)) continue;
      const each = await caseOf(reader, item, this.#evidence);
      if (each.suggestion.proof === null || levelOf(each.feature?.nr ?? null) !== "auto") continue;
      if (this.#unproven.get(item.key) !== picture(each)) found.push(each);
    }
    return found;
  }
}

const picture = ({ node, branch, suggestion }: Case): string =>
  JSON.stringify([suggestion.verb, suggestion.proof, node?.revision, branch?.tip]);
