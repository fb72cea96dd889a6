// What a completion says where no commit holds the work.

import type { Completion } from "./complete.js";

export const UNVERSIONED: Pick<
  Completion,
  "commit" | "attempt" | "changes" | "leftAlone" | "begunBefore" | "question" | "note" | "proof" | "fixesLeft"
> = {
  commit: null,
  attempt: null,
  changes: null,
  leftAlone: [],
  begunBefore: [],
  question: null,
  note: "",
  proof: null,
  fixesLeft: null,
};
