// The commit message of an attempt: the task in one line, and trailers that name task, attempt and operation.

import type { LiveAttempt } from "./attempt-state.js";

const TITLE = 100;

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, TITLE);

export const attemptMessage = ({ key, task, attempt }: Pick<LiveAttempt, "key" | "task" | "attempt">): string =>
  [
    `${task.id}: ${oneLine(task.title)}`,
    "",
    `Planwright-Task: ${task.id}`,
    `Planwright-Attempt: ${key}`,
    `Planwright-Operation: ${attempt.op}`,
    `Planwright-Worker: ${oneLine(attempt.worker.name)}`,
    "",
  ].join("\n");
