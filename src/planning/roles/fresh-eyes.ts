// What a role may know of a brief: the overviewer gets the plan, the code and what the person decided, no history and no opinions.

import { parseSpec } from "../spec/parse.js";
import type { Brief } from "./brief.js";

const UNSEEN = {
  map: null,
  files: null,
  feedback: [],
  node: null,
  clarification: null,
  memories: [],
  research: null,
  settled: [],
  initiatives: [],
  earlier: null,
} satisfies Partial<Brief>;

const NO_SPEC = parseSpec("");

const isHistory = ({ name }: Brief["materials"][number]): boolean => /^(Prior plan|Research)/.test(name);

/** What is not shown costs no tokens. */
export const seenBy = (brief: Brief): Brief =>
  brief.role === "overviewer"
    ? { ...brief, ...UNSEEN, spec: NO_SPEC, materials: brief.materials.filter((material) => !isHistory(material)) }
    : brief;
