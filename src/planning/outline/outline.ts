// The outline planner: a whole plan from the structure of a spec, without a model.

export { outlineCapabilities } from "./capabilities.js";
export { outlineClarification } from "./clarification.js";
export { outlineFiles } from "./files.js";
export { nothingFound } from "./nothing-found.js";
export { outlineTasks } from "./tasks.js";
