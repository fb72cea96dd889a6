// The words that interfaces share with the actions they call.

export { CONFLICT_CHOICES } from "../graph/conflict/conflict.js";
export { ARTIFACT_KINDS } from "../graph/item/artifact.js";
export { OPERATORS, RECORD_KINDS } from "../graph/item/record.js";
export { FAILURE_CLASSES, KINDS, TIERS } from "../graph/node/node.js";
export type { Failure, Result } from "../graph/result.js";
export { absent, exitCodeOf, ok, refused, usage } from "../graph/result.js";
