// Dragging in the tree: onto a container moves the node there, to the edge of another node takes a priority beside it. The server
// judges; everything that a drag does has a key or a field beside it.

import type { DragEvent } from "react";
import { act } from "../api/act.js";
import { signal } from "../api/signal.js";
import type { StatusTree } from "../api/types.js";
import { type DropPlace, priorityBeside, whereOf } from "./drop-place.js";
import { selection } from "./selection.js";

/** What is dragged, and over what. */
const dragged = signal<string | null>(null);
export const dropPlace = signal<DropPlace | null>(null);

/** A node that is part of the selection takes the selection with it. */
export const movedWith = (id: string): string[] => (selection.get().has(id) ? [...selection.get()] : [id]);

export const moveTo = (ids: readonly string[], to: string): Promise<boolean> =>
  act("move", { references: ids, to }, `${ids.join(", ")} moved to ${to}.`);

function finish(id: string, target: StatusTree, where: DropPlace["where"]): void {
  if (id === target.id) return;
  if (where === "into") {
    void moveTo(movedWith(id), target.id);
    return;
  }
  const priority = priorityBeside(target.priority, where);
  void act("edit", { reference: id, priority }, `${id} has priority ${priority} now; 0 is the most urgent.`);
}

export function dropHandlers(node: StatusTree): {
  readonly draggable: true;
  readonly onDragStart: (event: DragEvent) => void;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragEnd: () => void;
  readonly onDrop: (event: DragEvent) => void;
} {
  const at = (event: DragEvent): DropPlace["where"] => {
    const box = event.currentTarget.getBoundingClientRect();
    return whereOf(event.clientY - box.top, box.height, node.tier !== "task");
  };
  const end = (): void => {
    dragged.set(null);
    dropPlace.set(null);
  };
  return {
    draggable: true,
    onDragStart: (event) => {
      event.dataTransfer.setData("text/plain", node.id);
      event.dataTransfer.effectAllowed = "move";
      dragged.set(node.id);
    },
    onDragOver: (event) => {
      const id = dragged.get();
      if (id === null || id === node.id) return;
      event.preventDefault();
      const where = at(event);
      const known = dropPlace.get();
      if (known?.id !== node.id || known.where !== where) dropPlace.set({ id: node.id, where });
    },
    onDragEnd: end,
    onDrop: (event) => {
      event.preventDefault();
      const id = dragged.get();
      const where = at(event);
      end();
      if (id !== null) finish(id, node, where);
    },
  };
}
