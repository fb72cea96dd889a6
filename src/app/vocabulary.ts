// What interfaces share with the operations they ask for.

export { isPerson } from "../model/actor.js";
export { proofWords, WEAK_PROOF, weakProofWords } from "../model/attempt/proof.js";
export { answerStep } from "../model/item/escalation.js";
export { type NextStep, step } from "../model/next-step.js";
export { isOperation } from "../model/operation-names.js";
export type { Failure, Result } from "../model/result.js";
export { absent, exitCodeOf, ok, refused, usage } from "../model/result.js";
export { phraseOf, whyNoneBegins } from "../model/status/hold-phrase.js";
export { estimateTokens } from "../model/tokens.js";
