// Two tasks that touch the same file, and the conflict that the engine records of them.

import { type Clash, clashesAmong } from "../src/model/conflict/conflict.js";
import type { Node } from "../src/model/node/node.js";
import { ok } from "../src/model/result.js";
import { act } from "../src/plan/base/context.js";
import { start } from "../src/plan/claim/start.js";
import { recordConflict } from "../src/plan/conflict/record-conflict.js";
import { must, type TestPlan } from "./plan.js";
import { makeApprovedPlan, passing } from "./work.js";

export const SHARED = { files: ["src/auth.ts"] };

/** T-1 and T-2 share a file; T-3 is elsewhere. */
export const makeConflict = (): Promise<TestPlan> =>
  makeApprovedPlan([passing("T-1", SHARED), passing("T-2", SHARED), passing("T-3", { files: ["src/log.ts"] })]);

export const nodeOf = (plan: TestPlan, id: string): Promise<Node> =>
  plan.store.read(async (reader) => (await reader.byId(id)) as Node);

/** As the engine does it: an operation of its own. */
export async function record(
  plan: TestPlan,
  firstId: string,
  secondId: string,
  over: Partial<Clash> = {},
): ReturnType<typeof recordConflict> {
  const daemon = plan.as("daemon:host");
  const committed = await act<Awaited<ReturnType<typeof recordConflict>>>(daemon, "conflict", async (writer, at) => {
    const [first, second] = [await writer.byId(firstId), await writer.byId(secondId)] as [Node, Node];
    const [clash] = clashesAmong([first, second]);
    const met: Clash = { layer: "files", files: ["src/auth.ts"], symbols: [], ...clash, first, second, ...over };
    const recorded = await recordConflict(writer, met, { by: daemon.actor, at, commit: null });
    return ok({ sentence: recorded.sentence, changes: recorded.changes, value: recorded });
  });
  return must(committed).value;
}

export const edgesOf = async (plan: TestPlan, id: string): Promise<string[]> => {
  const { dependsOn } = await nodeOf(plan, id);
  const named = dependsOn.map(async ({ on, origin }) => {
    const target = await plan.store.read((reader) => reader.idOf(on));
    return `${target ?? "?"} ${origin}`;
  });
  return Promise.all(named);
};

/** T-1 is being worked on, and T-2 waits for it because of CONFLICT-00001. */
export async function makeOpen(): Promise<{ plan: TestPlan; token: string }> {
  const plan = await makeConflict();
  const { token } = must(await start(plan, { reference: "T-1" }));
  await record(plan, "T-1", "T-2");
  return { plan, token };
}
