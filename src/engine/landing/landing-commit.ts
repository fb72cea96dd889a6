// The commit that main becomes: how the feature's work gets onto main, and what its message says.

import type { LandStrategy, MESSAGE_FIELDS } from "../../machine/git/git-settings.js";
import { commitTree, rebaseOnto } from "../../machine/git/merge.js";
import { shortName } from "../../machine/git/refs.js";
import { userConfig } from "../../machine/git/user-config.js";
import { type TaskProof, taskProof } from "../../model/attempt/proof.js";
import type { EngineServices } from "../services.js";
import type { LandingPlan } from "./landing-plan.js";

export interface HowToLand {
  readonly strategy: LandStrategy;
  readonly message: string;
  readonly sign: boolean;
  /** Why it lands although it contradicts a record or leaves a footprint. */
  readonly despite: string | null;
}

/** What was asked for, or else what the settings say. */
export async function howToLand(
  { context }: EngineServices,
  asked: { readonly strategy?: LandStrategy; readonly message?: string; readonly despite?: string },
): Promise<HowToLand> {
  const { landStrategy, landMessage, signing } = await context.gitSettings();
  const sign = signing === "auto" && (await userConfig(context.root, "commit.gpgSign", "bool")) === "true";
  const { strategy = landStrategy, message = landMessage, despite = null } = asked;
  return { strategy, message, sign, despite };
}

/** `tree`: both branches merged. */
export interface MergedBranches {
  readonly from: string;
  readonly branch: string;
  readonly tip: string;
  readonly tree: string;
}

export async function landingCommit(
  root: string,
  plan: LandingPlan,
  { strategy, message, sign }: HowToLand,
  { from, branch, tip, tree }: MergedBranches,
): Promise<{ readonly commit: string } | { readonly conflicts: readonly string[]; readonly at: string }> {
  if (strategy === "rebase") return rebaseOnto(root, from, tip, { sign });
  const parents = strategy === "merge" ? [from, tip] : [from];
  return { commit: await commitTree(root, tree, parents, landingMessage(plan, message, shortName(branch)), { sign }) };
}

const TITLE = 100;
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, TITLE);

const proofLine = ({ task, strength, words }: TaskProof): string =>
  oneLine(words === "" ? `${task} ${strength}` : `${task} ${strength} (${words})`);

/** The trailers always follow: other programs look for them. */
export function landingMessage({ feature, land, tasks }: LandingPlan, template: string, branch: string): string {
  const fields: Readonly<Record<(typeof MESSAGE_FIELDS)[number], string>> = {
    id: feature.id,
    title: oneLine(feature.title),
    tasks: tasks.map(({ id, title }) => `- ${id}: ${oneLine(title)}`).join("\n"),
    branch,
  };
  const text = template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : whole,
  );
  return [
    text.trimEnd(),
    "",
    `Planwright-Feature: ${feature.id}`,
    `Planwright-Task: ${land.id}`,
    `Planwright-Branch: ${branch}`,
    ...tasks.filter(({ kind }) => kind === "work").map((task) => `Planwright-Proof: ${proofLine(taskProof(task))}`),
    "",
  ].join("\n");
}
