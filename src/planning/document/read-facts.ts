// What a plan document lists about a task, one line for each fact: its kind, hours, order, files and checks.

import { spaced } from "../../model/words.js";
import { defined, isSame } from "../contracts/common.js";
import type { DraftTask } from "../contracts/plan-draft.js";
import { type DocumentSection, type NoteChange, readTitleAndBody, sectionText } from "./document-sections.js";
import { codeAt, unescaped } from "./markdown.js";
import { marksOf } from "./plan-document.js";

/** What the program writes about a task, one line each. */
const FACT =
  /^- (?:(?:Story|After|Behaviours|Requirements|Symbols|Files|Check|Its size): ?|(?:create|modify|extend) `|(?:gate|review|steel thread)(?:,|$)|(?:.*, )?[\d.]+ ?h(?:ours?)?$)/i;

/** The list of facts is the last one with a fact in it. What was written after it is for an agent. Empty lines may stand between facts. */
function splitFacts({ lines }: DocumentSection): { readonly body: string; readonly facts: readonly string[] } {
  const last = lines.findLastIndex((line) => FACT.test(line));
  if (last < 0) return { body: sectionText({ lines }), facts: [] };
  let [from, to] = [last, last + 1];
  for (let at = last - 1; at >= 0; at--) {
    const line = lines[at] ?? "";
    const isNext = line.startsWith("- ") && (from === at + 1 || FACT.test(line));
    if (isNext) from = at;
    else if (line.trim() !== "") break;
  }
  while ((lines[to] ?? "").startsWith("- ")) to++;
  const facts = lines.slice(from, to).filter((line) => line.startsWith("- "));
  return { body: sectionText({ lines: lines.slice(0, from) }), facts: facts.map((line) => line.slice(2).trim()) };
}

const NO_FACTS = "Nothing more is said about it.";

export function readTask(task: DraftTask, title: string, section: DocumentSection, note: NoteChange): DraftTask {
  const { body: text, facts } = splitFacts(section);
  const words = readTitleAndBody(task, title, text.replace(NO_FACTS, "").trim(), note);
  const after = facts.find((fact) => /^after: ?/i.test(fact));
  const dependsOn =
    after === undefined
      ? []
      : unescaped(after.slice(6))
          .split(",")
          .map((id) => id.trim());
  const checks = facts.flatMap((fact) => readCheck(task, fact));
  const files = facts.flatMap((fact) => readFiles(task, fact));
  const marks = readMarks(task, facts);
  note(`${task.id} dependencies`, !isSame(dependsOn, task.dependsOn));
  note(`${task.id} checks`, !isSame(checks, task.checks));
  note(`${task.id} files`, !isSame(files, task.files));
  note(`${task.id} hours`, marks.estimateHours !== task.estimateHours);
  for (const key of ["kind", "profile", "steelThread"] as const)
    note(`${task.id} ${key === "steelThread" ? "steel thread" : key}`, marks[key] !== task[key]);
  return { ...words, ...marks, dependsOn: dependsOn.filter((id) => id !== ""), checks, files };
}

type Marks = Pick<DraftTask, "kind" | "profile" | "steelThread" | "estimateHours">;

const HOURS = /^([\d.]+) ?h(?:ours?)?$/i;

/** `gate, steel thread, backend, 2 h`. A line that says nothing of it changes nothing. */
function readMarks(task: DraftTask, facts: readonly string[]): Marks {
  const { kind, profile, steelThread, estimateHours } = task;
  const before = marksOf(task).join(", ");
  const line = facts.map(unescaped).find((fact) => {
    const words = fact.split(",").map((word) => word.trim());
    return words.some((word) => HOURS.test(word) || /^(?:gate|review|steel thread)$/.test(word));
  });
  if (line === undefined || line === before) return { kind, steelThread, ...defined({ profile, estimateHours }) };
  const words = line.split(",").map((word) => word.trim());
  const stated = words.map((word) => Number(HOURS.exec(word)?.[1] ?? Number.NaN)).find((hours) => hours > 0);
  const named = words.find(
    (word) => /^[a-z][a-z0-9-]{0,39}$/.test(word) && !/^(?:work|gate|review|steel thread)$/.test(word),
  );
  const isRounded = estimateHours !== undefined && Math.round(estimateHours * 10) / 10 === stated;
  return {
    kind: words.includes("gate") ? "gate" : words.includes("review") ? "review" : "work",
    steelThread: words.includes("steel thread"),
    ...defined({ profile: named, estimateHours: isRounded ? estimateHours : stated }),
  };
}

/** `Check: CODE in CODE, expects CODE`. What the document does not show of a check stays as it was. */
function readCheck(task: DraftTask, fact: string): DraftTask["checks"] {
  const command = /^check: ?/i.test(fact) ? codeAt(fact.slice(6).trim()) : undefined;
  if (!command) return [];
  const folder = command.rest.startsWith(" in ") ? codeAt(command.rest.slice(4)) : undefined;
  const rest = folder ? folder.rest : command.rest;
  const wanted = rest.startsWith(", expects ") ? codeAt(rest.slice(10)) : undefined;
  const before = task.checks.find(({ run }) => run === command.code);
  return [
    {
      ...(before ?? { run: command.code }),
      ...(folder && { cwd: folder.code }),
      ...(wanted && { expect: wanted.code }),
    },
  ];
}

const ACTIONS = ["create", "modify", "extend"] as const;

/** `Files: CODE, CODE`: paths alone, of files that are there or will be. */
function readFiles(task: DraftTask, fact: string): DraftTask["files"] {
  if (!/^files: ?/i.test(fact)) return readFile(task, fact);
  const listed = fact.slice(6);
  const coded = codesIn(listed);
  const paths = coded.length > 0 ? coded : unescaped(listed).split(/[,\s]+/);
  return paths
    .filter((path) => path !== "")
    .map((path) => task.files.find((file) => file.path === path) ?? { path, action: "modify", purpose: "" });
}

/** What stands in code marks, one after the other. */
function codesIn(text: string): string[] {
  const found: string[] = [];
  for (let rest = text.slice(text.search(/`|$/)); rest !== ""; rest = rest.slice(rest.search(/`|$/))) {
    const code = codeAt(rest);
    if (code === undefined) break;
    found.push(code.code.trim());
    rest = code.rest;
  }
  return found;
}

/** `create CODE: purpose`. */
function readFile(task: DraftTask, fact: string): DraftTask["files"] {
  const action = ACTIONS.find((each) => fact.startsWith(`${each} \``));
  const path = action && codeAt(fact.slice(action.length + 1));
  if (!action || !path) return [];
  const before = task.files.find((file) => file.path === path.code);
  const purpose = path.rest.startsWith(": ") ? unescaped(path.rest.slice(2)) : "";
  const isOld = before !== undefined && spaced(before.purpose) === purpose;
  return [{ ...before, path: path.code, action, purpose: isOld ? before.purpose : purpose }];
}
