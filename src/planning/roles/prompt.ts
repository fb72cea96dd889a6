// A brief as a prompt: the role's instructions, then the material, marked so that no text in it can pass for an
// instruction or for the end of the material.

import type { Role, Stage } from "../machine/machine.js";
import authorCapabilities from "../prompts/author-capabilities.md";
import authorFiles from "../prompts/author-files.md";
import authorRevise from "../prompts/author-revise.md";
import authorTasks from "../prompts/author-tasks.md";
import clarifier from "../prompts/clarifier.md";
import common from "../prompts/common.md";
import critic from "../prompts/critic.md";
import overviewer from "../prompts/overviewer.md";
import researcher from "../prompts/researcher.md";
import { type Brief, seenBy } from "./brief.js";
import type { Part } from "./call-budget.js";
import { type CallContents, DRAFT_PART, fit } from "./fit.js";

const STAGE_OF_AUTHOR: Partial<Record<Stage, string>> = {
  capabilities: authorCapabilities,
  files: authorFiles,
  tasks: authorTasks,
};

const OTHERS: Readonly<Record<Exclude<Role, "author">, string>> = { researcher, clarifier, critic, overviewer };

export const instructionsFor = ({ role, stage, revise }: Pick<Brief, "role" | "stage" | "revise">): string =>
  role !== "author" ? OTHERS[role] : revise ? authorRevise : (STAGE_OF_AUTHOR[stage] ?? authorTasks);

/** How many paths of the repository are listed; an agent can look for the others itself. */
const LISTED_FILES = 400;

/** `mark` is unguessable: the material cannot hold it. */
export function promptFor(brief: Brief, mark: string): string {
  const parts = brief.role === "overviewer" ? planAlone(brief) : partsOf(brief, fit(brief));
  return [
    common.trim(),
    instructionsFor(brief).trim(),
    ...placeOf(brief),
    `Material stands between lines that read ${mark}.`,
    ...materialOf(parts, mark),
    endingOf(brief, mark),
  ].join("\n\n");
}

/** A host reads the checkout itself. */
const placeOf = ({ commit }: Brief): string[] =>
  commit === null
    ? []
    : [`You are in a copy of the repository at commit ${commit}. Changes that nobody committed are not in it.`];

const materialOf = (parts: readonly Part[], mark: string): string[] =>
  parts.flatMap(([name, text]) => (text === null ? [] : [`## ${name}\n\n${fence(text, mark)}`]));

const endingOf = ({ problems }: Brief, mark: string): string =>
  problems.length > 0
    ? `Your last submission was not accepted:\n\n${fence(problems.map((p) => `- ${p}`).join("\n"), mark)}\n\nCorrect these problems and submit the whole answer again.`
    : "Hand in your result with `submit` now, once you have looked at what you need.";

/** Begins every prompt that relies on what was said before in its conversation. */
const GOES_ON = "This conversation goes on.";

/** Whether a prompt says everything, so that nothing before it has to be known. */
export const isWholePrompt = (prompt: string): boolean => !prompt.startsWith(GOES_ON);

/** Only what is new since `told`, the prompts of this conversation so far, the latest first. */
export function promptOfChanges(brief: Brief, mark: string, told: readonly string[]): string {
  const isTold = (text: string): boolean => told.some((prompt) => prompt.includes(`\n${text}\n`));
  // What was replaced since and is back is said again.
  const isLatest = ([name, text]: Part): boolean =>
    told.find((prompt) => prompt.includes(`\n## ${name}\n\n`))?.includes(`\n${text}\n`) ?? false;
  const instructions = instructionsFor(brief).trim();
  const [heading = ""] = instructions.split("\n");
  // What was said of this round counts, also if it is word for word what was said before.
  const fitted = fit(brief);
  const latest = new Set([...fitted.feedback, fitted.extra.responses]);
  const isKnown = (part: Part): boolean =>
    part[1] === null || isLatest(part) || (brief.ownDraft && part[0].startsWith(DRAFT_PART));
  const parts = partsOf(brief, fitted).filter((part) => latest.has(part) || !isKnown(part));
  return [
    `${GOES_ON} What you were given before still holds${brief.ownDraft ? ", and the plan is as you handed it in" : ""}, unless it stands here again. Only what is new or has changed follows.`,
    isTold(instructions) ? `${heading}\n\nThe instructions for this role are the same as before.` : instructions,
    ...placeOf(brief).filter((place) => !isTold(place)),
    `Material stands between lines that read ${mark}.`,
    ...materialOf(parts, mark),
    endingOf(brief, mark),
  ].join("\n\n");
}

const fence = (text: string, mark: string): string => `${mark}\n${text}\n${mark}`;

/** Fresh eyes: the plan and the code, and what the person decided. */
function planAlone(brief: Brief): Part[] {
  const { draft, materials, extra } = fit(seenBy(brief));
  return [draft, ...decided(brief), extra.answers, extra.records, ...materials];
}

const decided = ({ target, stack }: Brief): Part[] => [
  ["Where the code goes", target],
  ["Technology that was asked for", stack],
];

const linesPart = (name: string, lines: readonly string[]): Part => [
  name,
  lines.length === 0 ? null : lines.join("\n"),
];

function partsOf(brief: Brief, { extra, ...fitted }: CallContents): Part[] {
  const commands = brief.commands.map(({ purpose, run }) => `- ${purpose}: ${run}`);
  const files = brief.repositoryFiles.slice(0, LISTED_FILES);
  const unlisted = brief.repositoryFiles.length - files.length;
  const more = unlisted > 0 ? [`(and ${unlisted} more: look for yourself)`] : [];
  return [
    fitted.spec,
    extra.node,
    extra.initiatives,
    ...decided(brief),
    extra.answers,
    extra.assumptions,
    extra.records,
    extra.lessons,
    extra.research,
    ...fitted.materials,
    fitted.map,
    fitted.files,
    fitted.draft,
    extra.settled,
    extra.earlier,
    extra.responses,
    ...fitted.feedback,
    linesPart("Commands that this repository is tested with", commands),
    linesPart("Files of the repository", [...files, ...more]),
  ];
}
