// How much work waits behind a node: the tasks that wait for it, directly or through others, and their hours.

import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { isOpen } from "../../model/order/waiting.js";
import type { Reader } from "../../store/store.js";

/** What a task without an estimate counts for. */
export const USUAL_HOURS = 1;

/** 500 tasks or 5,000: the decision is the same. */
const MAX_COUNTED = 500;

/** Open tasks, those that were asked about among them, without landings; their hours; and whether there are more than were counted. */
export const NOTHING_HELD = { nodes: 0, hours: 0, more: false };

export const tenths = (hours: number): number => Math.round(hours * 10) / 10;

/** Serves one look at the plan, and reads what waits behind a node once. */
export function heldUpIn(
  reader: Reader,
): (nodes: readonly Node[]) => Promise<typeof NOTHING_HELD & { readonly tasks: readonly Node[] }> {
  const behind = new Map<Nr, Promise<readonly Node[]>>();
  const waitingFor = (node: Node): Promise<readonly Node[]> => {
    const known = behind.get(node.nr) ?? readWaiting(reader, node);
    behind.set(node.nr, known);
    return known;
  };
  return async (nodes) => {
    const found = new Map<Nr, Node>();
    const queue: Node[] = [];
    const take = (node: Node): void => {
      if (found.has(node.nr) || !isOpen(node) || node.shelved) return;
      found.set(node.nr, node);
      queue.push(node);
    };
    for (const node of nodes) for (const task of await tasksIn(reader, node)) take(task);
    for (let node = queue.shift(); node && found.size < MAX_COUNTED; node = queue.shift()) {
      for (const other of await waitingFor(node)) take(other);
    }
    const tasks = [...found.values()].filter(({ kind }) => kind !== "land");
    const hours = tasks.reduce((sum, { estimateHours }) => sum + (estimateHours ?? USUAL_HOURS), 0);
    return { nodes: tasks.length, hours: tenths(hours), more: found.size >= MAX_COUNTED, tasks };
  };
}

/** What depends on it, or on something that it is in. Who waits for a container waits for all that is in it. */
async function readWaiting(reader: Reader, node: Node): Promise<readonly Node[]> {
  const found: Node[] = [];
  for (const { nr } of [node, ...(await reader.ancestors(node.nr))]) {
    for (const dependent of await reader.dependents(nr, MAX_COUNTED)) found.push(...(await tasksIn(reader, dependent)));
  }
  return found;
}

const tasksIn = async (reader: Reader, node: Node): Promise<readonly Node[]> =>
  isContainer(node) ? reader.openTasksBelow(node.nr, MAX_COUNTED) : [node];
