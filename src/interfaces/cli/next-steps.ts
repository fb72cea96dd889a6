// Steps that many views offer.

import { type NextStep, step } from "../../app/vocabulary.js";

/** Every change can be taken back; an answer that changed nothing has no operation. */
export const undoStep = (op: number | null): NextStep[] => (op === null ? [] : [step("undo", { operation: op })]);
