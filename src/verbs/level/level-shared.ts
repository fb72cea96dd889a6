import { node, optional } from "../kit/schema.js";

export const feature = () =>
  optional(node("this feature, or the feature around this node; the workspace unless given"));
