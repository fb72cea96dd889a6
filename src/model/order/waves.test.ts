import { describe, expect, it } from "vitest";
import { branch, node, settled } from "../../../test/branch.js";
import type { Edge, Node, Nr } from "../node/node.js";
import { computeCriticalPath, computeWaves, orderOf } from "./order.js";
import { isOpen, Waiting } from "./waiting.js";

const on = (...nrs: Nr[]): { dependsOn: Edge[] } => ({ dependsOn: nrs.map((nr) => ({ on: nr, origin: "stated" })) });

/** Waves and critical path of a plan, as the action asks for them. */
function look(nodes: readonly Node[], counts: (nr: Nr) => boolean = () => true) {
  const plan = new Waiting(branch(...nodes));
  const isTask = (nr: Nr): boolean => plan.nodes.get(nr)?.tier === "task";
  const open = [...plan.nodes.values()].filter(isOpen).map((each) => each.nr);
  const order = orderOf(open, (nr) => plan.openFor(nr));
  const hours = (nr: Nr): number => (isTask(nr) ? (plan.nodes.get(nr)?.estimateHours ?? 1) : 0);
  const listed = (nr: Nr): boolean => isTask(nr) && counts(nr);
  return { ...computeWaves(order, isTask, listed), critical: computeCriticalPath(order, hours, listed) };
}

const plan = (...tasks: Node[]): Node[] => [
  node(1, "mission", null),
  node(2, "feature", 1),
  node(3, "story", 2),
  ...tasks,
];

describe("waves", () => {
  it("put a task after the latest of what it waits for", () => {
    const { waves, cyclic } = look(
      plan(
        node(10, "task", 3),
        node(11, "task", 3, on(10)),
        node(12, "task", 3, on(10)),
        node(13, "task", 3, on(11, 12)),
      ),
    );
    expect(waves).toEqual([[10], [11, 12], [13]]);
    expect(cyclic).toEqual([]);
  });

  it("leave out what is finished, dropped or archived", () => {
    const archive = { by: "human:ada", at: 1, root: 12, summary: null };
    const { waves } = look(
      plan(
        node(10, "task", 3, settled("done")),
        node(11, "task", 3, settled("dropped")),
        node(12, "task", 3, { archive }),
        node(13, "task", 3, on(10)),
      ),
    );
    expect(waves).toEqual([[13]]);
  });

  it("take a container apart: what waits for it waits for all of its tasks", () => {
    const { waves } = look([
      ...plan(node(10, "task", 3), node(11, "task", 3, on(10))),
      node(4, "story", 2),
      node(20, "task", 4, on(3)),
    ]);
    expect(waves).toEqual([[10], [11], [20]]);
  });

  it("hold back what is in a container until the container's own dependencies are met", () => {
    const { waves } = look([...plan(node(10, "task", 3)), node(4, "story", 2, on(10)), node(20, "task", 4)]);
    expect(waves).toEqual([[10], [20]]);
  });

  it("put the landing behind the work of its feature, and other features behind the landing", () => {
    const { waves, critical } = look([
      ...plan(node(10, "task", 3), node(11, "task", 3), node(12, "task", 2, { kind: "land" })),
      node(5, "feature", 1),
      node(20, "task", 5, on(10)),
      node(21, "task", 5, { kind: "gate" }),
    ]);
    expect(waves).toEqual([[10, 11, 21], [12], [20]]);
    expect(critical.path.filter((nr) => nr >= 10)).toEqual([10, 12, 20]);
  });

  it("wait for the landing alone when the work itself is done", () => {
    const landed = { kind: "land", ...settled("done") } as const;
    const done = node(10, "task", 3, settled("done"));
    const other = [node(5, "feature", 1), node(20, "task", 5, on(10))];
    expect(look([...plan(done, node(12, "task", 2, { kind: "land" })), ...other]).waves).toEqual([[12], [20]]);
    expect(look([...plan(done, node(12, "task", 2, landed)), ...other]).waves).toEqual([[20]]);
  });

  it("need no landing of what is outside of every feature, or whose feature is gone", () => {
    const outside = node(10, "task", 1, settled("done"));
    const gone = { ...node(11, "task", null, settled("done")), feature: 98 };
    const plan = new Waiting([...branch(node(1, "mission", null), outside, node(12, "task", 1, on(10, 11))), gone]);
    expect(plan.openFor(12)).toEqual([]);
  });

  it("put members of a cycle last, with what waits for them, and flag the members", () => {
    const { waves, cyclic, critical } = look(
      plan(node(10, "task", 3), node(11, "task", 3, on(12)), node(12, "task", 3, on(11)), node(13, "task", 3, on(12))),
    );
    expect(waves).toEqual([[10], [11, 12, 13]]);
    expect(cyclic).toEqual([11, 12]);
    expect(critical).toEqual({ path: [10], hours: 1 });
  });

  it("ignore dependencies on what is not there", () => {
    const orphan = { ...node(20, "task", null, on(99)), feature: 98 };
    expect(look([...plan(), orphan]).waves).toEqual([[20]]);
  });

  it("of a branch list its own tasks, in the order that the whole plan gives", () => {
    const nodes = [
      ...plan(node(10, "task", 3), node(11, "task", 3, on(10))),
      node(4, "story", 2),
      node(20, "task", 4),
      node(21, "task", 4, on(11)),
    ];
    const { waves, critical } = look(nodes, (nr) => nr >= 20);
    expect(waves).toEqual([[20], [21]]);
    expect(critical).toEqual({ path: [10, 11, 21], hours: 3 });
  });
});

describe("the critical path", () => {
  it("is the chain that takes longest, one hour for a task without an estimate", () => {
    const { critical } = look(
      plan(
        node(10, "task", 3, { estimateHours: 5 }),
        node(11, "task", 3),
        node(12, "task", 3, on(10)),
        node(13, "task", 3, on(11, 12)),
      ),
    );
    expect(critical).toEqual({ path: [10, 12, 13], hours: 7 });
  });

  it("is empty when nothing is left to do", () => {
    expect(look(plan(node(10, "task", 3, settled("done")))).critical).toEqual({ path: [], hours: 0 });
  });

  it("of a hundred thousand tasks in a row is all of them", () => {
    const count = 100_000;
    const tasks = Array.from({ length: count }, (_, i) => node(i + 10, "task", 3, i === 0 ? {} : on(i + 9)));
    const { waves, critical } = look(plan(...tasks));
    expect([waves.length, critical.hours, critical.path.filter((nr) => nr >= 10).length]).toEqual([
      count,
      count,
      count,
    ]);
  });
});
