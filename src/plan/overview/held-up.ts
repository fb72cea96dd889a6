// How much work waits behind a node: the tasks that wait for it, directly or through others, and their hours.

import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { isOpen } from "../../model/order/waiting.js";
import type { OpenNode, Reader } from "../../store/store.js";

/** What a task without an estimate counts for. */
export const USUAL_HOURS = 1;

/** 500 tasks or 5,000: the decision is the same. */
const MAX_COUNTED = 500;

/** Open tasks, those that were asked about among them, without landings; their hours; and whether there are more than were counted. */
export const NOTHING_HELD = { nodes: 0, hours: 0, more: false };

export const tenths = (hours: number): number => Math.round(hours * 10) / 10;

type HeldUp = typeof NOTHING_HELD & { readonly tasks: readonly Pick<Node, "id">[] };

/** Serves one look at the plan. All tasks that were found together are followed by one statement, not each by its own. */
export function heldUpIn(reader: Reader): (nodes: readonly Node[]) => Promise<HeldUp> {
  const known = new Map<Nr, Promise<readonly Nr[]>>();
  /** A container and what it is in. Who waits for a container waits for all that is in it. */
  const around = (container: Nr | null): Promise<readonly Nr[]> => {
    if (container === null) return Promise.resolve([]);
    const read = known.get(container) ?? readAround(reader, container);
    known.set(container, read);
    return read;
  };
  return async (nodes) => {
    const found = new Map<Nr, OpenNode>();
    const passed = new Set<Nr>();
    let fresh: OpenNode[] = [];
    const take = (tasks: readonly OpenNode[]): void => {
      const added = tasks.filter(({ nr }) => !found.has(nr)).slice(0, MAX_COUNTED - found.size);
      for (const task of added) found.set(task.nr, task);
      fresh.push(...added);
    };
    for (const node of nodes) take(await tasksOf(reader, node));
    while (fresh.length > 0 && found.size < MAX_COUNTED) {
      const targets = new Set(fresh.map(({ nr }) => nr));
      for (const parent of new Set(fresh.map((task) => task.parent))) {
        for (const container of await around(parent)) if (!passed.has(container)) targets.add(container);
      }
      for (const container of targets) passed.add(container);
      fresh = [];
      // Those that were found already are among them.
      for (const waiter of await reader.waiters([...targets], 2 * MAX_COUNTED)) {
        take(isContainer(waiter) ? await reader.openTasksBelow(waiter.nr, MAX_COUNTED) : [waiter]);
      }
    }
    const tasks = [...found.values()].filter(({ kind }) => kind !== "land");
    const hours = tasks.reduce((sum, { estimateHours }) => sum + (estimateHours ?? USUAL_HOURS), 0);
    return { nodes: tasks.length, hours: tenths(hours), more: found.size >= MAX_COUNTED, tasks };
  };
}

const readAround = async (reader: Reader, container: Nr): Promise<readonly Nr[]> => [
  container,
  ...(await reader.ancestors(container)).map(({ nr }) => nr),
];

async function tasksOf(reader: Reader, node: Node): Promise<readonly OpenNode[]> {
  if (isContainer(node)) return reader.openTasksBelow(node.nr, MAX_COUNTED);
  return isOpen(node) && !node.shelved ? [node] : [];
}
