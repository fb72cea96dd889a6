// Makes texts of other tools fit for the plan: one line for a title, no control characters, labels and paths in the plan's form.

import { labelProblem } from "../../model/item/comments-and-labels.js";
import { BODY_LIMIT, pathProblem } from "../../model/node/content.js";
import { type Check, TITLE_LIMIT } from "../../model/node/node.js";
import type { SourceItem } from "./source.js";

// oxlint-disable-next-line no-control-regex -- these are what must be kept out.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;
const HALVES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** What a terminal would obey: whole sequences go, not only the escape character. */
// oxlint-disable-next-line no-control-regex -- it looks for the escape character.
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/gu;

export const cleanText = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(SEQUENCE, "").replace(CONTROL, "").replace(HALVES, "\ufffd");

const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, " ").trim();

const cut = (text: string, limit: number): string => text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");

export interface Cleaned {
  readonly item: SourceItem;
  readonly changed: readonly string[];
}

/** The item as it can stand in the plan, and what was changed for that. */
export function cleanItem(item: SourceItem): Cleaned {
  const changed: string[] = [];
  const told = oneLine(item.title);
  if (told !== item.title.replace(/\s+/g, " ").trim()) changed.push("control characters in its title were removed");
  const title = told === "" ? `(no title: ${cut(oneLine(item.id), 100) || "?"})` : cut(told, TITLE_LIMIT);
  if (told === "") changed.push("it has no title");
  const isCut = told.length > TITLE_LIMIT;
  if (isCut) changed.push(`its title is longer than ${TITLE_LIMIT} characters, so the whole of it is in the body`);
  let body = [isCut ? told : "", cleanText(item.body ?? "").trim()].filter((part) => part !== "").join("\n\n");
  if (body.length > BODY_LIMIT) {
    body = cut(body, BODY_LIMIT);
    changed.push(`its text was cut at ${BODY_LIMIT} characters`);
  }
  const files = cleanFiles(item.files ?? [], changed);
  const labels = cleanLabels(item.labels ?? [], changed);
  const checks = (item.checks ?? []).map((check): Check => ({ ...check, run: cleanText(check.run).trim() }));
  return {
    changed,
    item: { ...item, title, body, files, labels, checks: checks.filter(({ run }) => run !== "" && run.length <= 4096) },
  };
}

function cleanFiles(files: readonly string[], changed: string[]): string[] {
  const kept = new Set<string>();
  for (const file of files) {
    const path = oneLine(file).replace(/^\.\//, "");
    if (pathProblem(path) === undefined) kept.add(path);
    else if (path !== "") changed.push(`the file "${path}" is outside the workspace and was left out`);
  }
  return [...kept];
}

function cleanLabels(labels: readonly string[], changed: string[]): string[] {
  const kept = new Set<string>();
  for (const label of labels) {
    const told = oneLine(label);
    if (told === "") continue;
    const spelled = told
      .replace(/\s*:\s+/g, ":")
      .replace(/[^\p{L}\p{N}._:/-]+/gu, "-")
      .replace(/^[^\p{L}\p{N}]+|-+$/gu, "")
      .slice(0, 40);
    if (labelProblem(spelled) !== undefined) {
      changed.push(`the label "${told}" was left out`);
      continue;
    }
    if (spelled !== told) changed.push(`the label "${told}" became "${spelled}"`);
    kept.add(spelled);
  }
  return [...kept].sort();
}

/** Only text that is plainly a command in backticks. */
export function checksIn(text: string): Check[] {
  const found = new Set<string>();
  for (const [, code = ""] of text.matchAll(/`([^`\n]{3,300})`/g)) if (COMMAND.test(code)) found.add(code.trim());
  return [...found].map((run) => ({ run }));
}

const COMMAND =
  /^(?:npm|npx|pnpm|yarn|bun|bunx|node|deno|cargo|go|make|just|python3?|pytest|uv|tox|ruff|mypy|bash|sh|gradle|\.\/gradlew|mvn|dotnet|bundle|rake|rspec|phpunit|composer|swift|zig|cmake|ctest|bazel|test|grep|curl)(?:\s+\S.*)$/;

/** Paths that a text names: something with a slash and an ending, or code in backticks that has one. */
export function pathsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [, path = ""] of text.matchAll(
    /(?:^|[\s`("'])((?:[\w.@-]{1,100}\/){1,20}[\w.@-]{1,100}\.\w{1,8})(?=$|[\s`)"',;:.])/g,
  )) {
    if (pathProblem(path) === undefined && !/^(?:https?|www\.)/.test(path)) found.add(path);
  }
  return [...found];
}
