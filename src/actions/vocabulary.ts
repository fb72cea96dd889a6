// The words that interfaces share with the actions they call.

export { ARTIFACT_KINDS } from "../graph/artifact.js";
export { CONFLICT_CHOICES } from "../graph/conflict.js";
export { FAILURE_CLASSES, KINDS, TIERS } from "../graph/node.js";
export { OPERATORS, RECORD_KINDS } from "../graph/record.js";
export type { Failure, Result } from "../graph/result.js";
export { absent, exitCodeOf, ok, refused, usage } from "../graph/result.js";
