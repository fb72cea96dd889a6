// Every tool that can be imported from. The first that knows a file reads it.

import { backlogMd } from "./backlog-md.js";
import { beads } from "./beads.js";
import { claudeTasks } from "./claude-tasks.js";
import type { Format } from "./format.js";
import { github } from "./github.js";
import { kiro } from "./kiro.js";
import { markdown } from "./markdown.js";
import { openspec } from "./openspec.js";
import { specKit } from "./spec-kit.js";
import { taskMaster } from "./task-master.js";

export const FORMATS: readonly Format[] = [
  specKit,
  kiro,
  openspec,
  taskMaster,
  backlogMd,
  beads,
  claudeTasks,
  github,
  markdown,
];
