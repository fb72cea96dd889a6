// What a host gets, file by file: files of our own, and additions to files of yours.

import type { JsonEntry } from "./json-entries.js";
import type { Marks } from "./marked-block.js";

export type Placement =
  /** A file of our own. */
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  /** Entries in a JSON file of yours. */
  | { readonly kind: "entries"; readonly path: string; readonly entries: readonly JsonEntry[] }
  /** A block at the end of a text file of yours. `problem` says what in it stands in the way. */
  | {
      readonly kind: "block";
      readonly path: string;
      readonly block: string;
      readonly marks: Marks;
      readonly problem?: (text: string) => string | undefined;
    };
