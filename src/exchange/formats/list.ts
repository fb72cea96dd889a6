// Every tool that can be imported from. The first that knows a file reads it.

import { auraFrog } from "./aura-frog.js";
import { backlogMd } from "./backlog-md.js";
import { beads } from "./beads.js";
import { bmad } from "./bmad.js";
import { ccpm } from "./ccpm.js";
import { claudeTasks } from "./claude-tasks.js";
import { dex } from "./dex.js";
import type { Format } from "./format.js";
import { github } from "./github.js";
import { gsd } from "./gsd.js";
import { jira } from "./jira.js";
import { kiro } from "./kiro.js";
import { linear } from "./linear.js";
import { markdown } from "./markdown.js";
import { openspec } from "./openspec.js";
import { seeds } from "./seeds.js";
import { shrimp } from "./shrimp.js";
import { specKit } from "./spec-kit.js";
import { taskMaster } from "./task-master.js";
import { tasker } from "./tasker.js";
import { taskwarrior } from "./taskwarrior.js";

export const FORMATS: readonly Format[] = [
  specKit,
  kiro,
  openspec,
  gsd,
  bmad,
  ccpm,
  beads,
  seeds,
  dex,
  shrimp,
  taskMaster,
  taskwarrior,
  backlogMd,
  claudeTasks,
  tasker,
  auraFrog,
  linear,
  jira,
  github,
  markdown,
];
