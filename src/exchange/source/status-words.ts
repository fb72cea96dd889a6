// The words that tools use for how far something is, as facts of the plan.

import type { SourceProgress } from "./source.js";

const WORDS: Readonly<Record<SourceProgress, string>> = {
  open: "open todo to_do pending planned backlog not_started new draft ready ready_for_dev unstarted triage approved optional proposed accepted selected_for_development",
  active:
    "in_progress inprogress active running started doing implementing hooked claimed wip researching planning in_development partial",
  review: "review in_review ready_for_review pr_ready verification testing qa",
  done: "done closed complete completed shipped finished resolved fixed merged x landed",
  dropped:
    "cancelled canceled dropped discarded abandoned tombstone wontfix wont_fix wont_do won_t_do not_planned duplicate deleted invalid cannot_reproduce rejected_idea removed",
  waived: "skipped waived",
  frozen: "blocked held on_hold frozen deferred wait waiting paused postponed",
  rejected: "rejected failed",
};

const KNOWN = new Map(
  Object.entries(WORDS).flatMap(([progress, words]) =>
    words.split(" ").map((word) => [word, progress as SourceProgress]),
  ),
);

/** Undefined if no one says so. */
export const progressOfWord = (word: string): SourceProgress | undefined =>
  KNOWN.get(
    word
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "_")
      .replace(/^_|_$/g, ""),
  );
