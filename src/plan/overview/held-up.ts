// How much work waits behind a node: the tasks that wait for it, directly or through others, and their hours.

import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { isOpen } from "../../model/order/waiting.js";
import type { Reader } from "../../store/store.js";

export interface HeldUp {
  /** Open tasks, those that were asked about among them. Landings are not counted. */
  readonly nodes: number;
  /** With one hour for a task without an estimate. */
  readonly hours: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

/** What a task without an estimate counts for. */
export const USUAL_HOURS = 1;

/** 500 tasks or 5,000: the decision is the same. */
const MOST = 500;

export const NOTHING_HELD: HeldUp = { nodes: 0, hours: 0, more: false };

export const tenths = (hours: number): number => Math.round(hours * 10) / 10;

export class HeldUpReader {
  readonly #reader: Reader;
  readonly #behind = new Map<Nr, Promise<readonly Node[]>>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async of(nodes: readonly Node[]): Promise<HeldUp & { readonly tasks: readonly Node[] }> {
    const found = new Map<Nr, Node>();
    const queue: Node[] = [];
    const take = (node: Node): void => {
      if (found.has(node.nr) || !isOpen(node) || node.shelved) return;
      found.set(node.nr, node);
      queue.push(node);
    };
    for (const node of nodes) for (const task of await this.#tasks(node)) take(task);
    for (let node = queue.shift(); node && found.size < MOST; node = queue.shift()) {
      for (const other of await this.#waitingFor(node)) take(other);
    }
    const tasks = [...found.values()].filter(({ kind }) => kind !== "land");
    const hours = tasks.reduce((sum, { estimateHours }) => sum + (estimateHours ?? USUAL_HOURS), 0);
    return { nodes: tasks.length, hours: tenths(hours), more: found.size >= MOST, tasks };
  }

  #waitingFor(node: Node): Promise<readonly Node[]> {
    let known = this.#behind.get(node.nr);
    if (!known) this.#behind.set(node.nr, (known = this.#read(node)));
    return known;
  }

  /** What depends on it, or on something that it is in. Who waits for a container waits for all that is in it. */
  async #read(node: Node): Promise<readonly Node[]> {
    const found: Node[] = [];
    for (const { nr } of [node, ...(await this.#reader.ancestors(node.nr))]) {
      for (const dependent of await this.#reader.dependents(nr, MOST)) found.push(...(await this.#tasks(dependent)));
    }
    return found;
  }

  async #tasks(node: Node): Promise<readonly Node[]> {
    if (!isContainer(node)) return [node];
    return this.#reader.openTasksBelow(node.nr, MOST);
  }
}
