// Names and short texts in an answer stay on one line. A file name may hold line breaks, and so may what an agent says: without
// this, either could pass for a line of ours. This is the only place that does it, before any view sees the answer.

import { wholeLine } from "../kit/wording.js";

/** What is printed inside a line. Long texts (bodies, outputs, documents) are not here: views indent those. */
const IN_LINE: ReadonlySet<string> = new Set(
  `files symbols created modified deleted leftAlone path paths file from to worktree directory branch kept base by actor
   createdBy driver name model row field id key ref note reason sentence title missing outside meanwhile forbidden taskId feature`.split(
    /\s+/,
  ),
);

/** A copy whose names cannot begin a line. `key`: the name of the field that holds the value. */
export function safeOutput(value: unknown, key = ""): unknown {
  if (typeof value === "string") return IN_LINE.has(key) ? wholeLine(value) : value;
  // The items of a list are named by the list.
  if (Array.isArray(value)) return value.map((item) => safeOutput(item, key));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      /^[\w.-]*$/.test(name) ? name : wholeLine(name),
      safeOutput(part, name),
    ]),
  );
}
