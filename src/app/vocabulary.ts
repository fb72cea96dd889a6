// What interfaces share with the operations they ask for.

export { isPerson } from "../graph/actor.js";
export { proofWords, WEAK_PROOF, weakProofWords } from "../graph/attempt/proof.js";
export { answerStep } from "../graph/item/escalation.js";
export { type NextStep, step } from "../graph/next-step.js";
export { isOperation } from "../graph/operation-names.js";
export type { Failure, Result } from "../graph/result.js";
export { absent, exitCodeOf, ok, refused, usage } from "../graph/result.js";
export { phraseOf, whyNoneBegins } from "../graph/status/hold-phrase.js";
export { estimateTokens } from "../graph/tokens.js";
