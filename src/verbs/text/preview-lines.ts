// The preview of an approval in lines for people: what may run comes first, then every node with every word of it.

import { checkTerms } from "../../model/node/check-terms.js";
import type {
  ApprovalPreview,
  PreviewCommand,
  PreviewField,
  PreviewNode,
  PreviewRecord,
} from "../../plan/node/approval-preview.js";
import type { Style } from "../kit/style.js";
import { harmless, harmlessCode, idList, nameInLine, plural, wholeLine } from "../kit/wording.js";
import { PLAIN } from "./progress-lines.js";

export const PREVIEW_REPORT = {
  reports: ["needs-yes"],
  problems: (details: Readonly<Record<string, unknown>>, style: Style): string =>
    [
      previewText(details["preview"] as ApprovalPreview, style),
      "",
      "Nothing was approved. To approve exactly what is shown here, use the command below. With --yes, you approve it without a look, also if it changes before.",
    ].join("\n"),
};

export const previewText = (preview: ApprovalPreview, style: Style = PLAIN) => previewLines(preview, style).join("\n");

export function previewLines(preview: ApprovalPreview, style: Style): string[] {
  const { nodes, commands, files, anyFile, environment, records, dropped, lostClaims, hash } = preview;
  const fresh = nodes.filter(({ lastApproval }) => lastApproval === null).length;
  const counts = `${plural(nodes.length, "node")}: ${fresh} new, ${nodes.length - fresh} approved before and changed`;
  const passedOn = `execution.env passes on ${environment.map(nameInLine).join(", ")}`;
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ["Commands that will run on this machine", commands.flatMap((command) => commandLines(command, style))],
    ["Network", asked(commands, ({ network }) => network)],
    [
      "Credentials",
      [...asked(commands, ({ credentials }) => credentials), ...(environment.length === 0 ? [] : [passedOn])],
    ],
    ["Files", fileLines(files, anyFile)],
    ["Records that come into force", records.flatMap(recordLines)],
    ["Dropped", dropped.map(({ id, title }) => `${id}  ${wholeLine(title)}`)],
    ["Claims that are lost", lostClaims.map(({ id, by }) => `${id}  ${nameInLine(by)} is working on it`)],
    ["Changed since the last approval", nodes.flatMap(changeLines)],
  ];
  return [
    `${style.bold("What you approve")} ${style.dim(`(preview ${hash})`)}`,
    `  ${counts}`,
    ...sections.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : [style.bold(title), ...lines.map((line) => `  ${line}`)],
    ),
    ...(nodes.length === 0 ? [] : [style.bold("Nodes")]),
    ...nodes.flatMap((node) => nodeLines(node, style)),
  ];
}

function recordLines({ id, kind, title, body, ...rest }: PreviewRecord): string[] {
  const { because, alternatives, forbids, measure, baseline } = rest;
  const said = Object.entries({ because, alternatives, forbids, measure, baseline }).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return [
    `${id}  ${kind}: ${wholeLine(title)}`,
    ...(body.trim() === "" ? [] : quoteLines(body.trim(), "  | ")),
    ...said.flatMap(([name, value]) => quoteLines(`${name} ${asText(value)}`, "  | ")),
  ];
}

/** Every line of a text is marked, so that none of them can pass for a line of ours. */
const quoteLines = (text: string, mark: string, shown = harmless): string[] =>
  shown(text)
    .split("\n")
    .map((line) => `${mark}${line}`);

const KINDS: Readonly<Record<PreviewCommand["kind"], string>> = {
  check: "check",
  work: "work",
  measure: "measure",
  setup: "set-up",
};

function commandLines({ run, kind, from, danger, ...terms }: PreviewCommand, style: Style): string[] {
  return [
    `${KINDS[kind]} of ${idList(from.map(nameInLine))}`,
    ...quoteLines(run, "  $ ", harmlessCode),
    ...checkTerms(terms, nameInLine).map((term) => `  = ${term}`),
    ...(danger === null ? [] : [style.red(`  ! This ${wholeLine(danger)}.`)]),
  ];
}

function asked(commands: readonly PreviewCommand[], needs: (command: PreviewCommand) => readonly string[]): string[] {
  const found = commands.flatMap((command) => {
    const what = needs(command);
    return what.length === 0 ? [] : [`${what.map(nameInLine).join(", ")}  (${idList(command.from.map(nameInLine))})`];
  });
  return [...new Set(found)];
}

const fileLines = (files: readonly string[], anyFile: readonly string[]): string[] => [
  ...files.map(nameInLine),
  ...(anyFile.length === 0 ? [] : [`any file: ${idList(anyFile)} ${anyFile.length === 1 ? "names" : "name"} none`]),
];

function changeLines({ id, lastApproval }: PreviewNode): string[] {
  if (lastApproval === null) return [];
  const head = `${id}  approved by ${nameInLine(lastApproval.by)} on ${lastApproval.at.slice(0, 10)}`;
  return [head, ...lastApproval.changes.flatMap(fieldLines)];
}

const fieldLines = ({ field, before, after }: PreviewField): string[] => [
  `  ${field}`,
  ...quoteLines(asText(before), "    - ", PROSE_FIELDS.has(field) ? harmless : harmlessCode),
  ...quoteLines(asText(after), "    + ", PROSE_FIELDS.has(field) ? harmless : harmlessCode),
];

const PROSE_FIELDS: ReadonlySet<string> = new Set(["title", "body"]);

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function nodeLines(node: PreviewNode, style: Style): string[] {
  const { id, tier, kind, title, body, parent, dependsOn, files, symbols, profile, checks, budgets } = node;
  const facts = [
    parent === null ? "" : `in ${parent}`,
    profile === null ? "" : `profile ${nameInLine(profile)}`,
    dependsOn.length === 0 ? "" : `after ${dependsOn.join(", ")}`,
    files.length === 0 ? "" : `files ${files.map(nameInLine).join(", ")}`,
    symbols.length === 0 ? "" : `symbols ${symbols.map(nameInLine).join(", ")}`,
    kind !== "work" ? "" : checks.length === 0 ? "no check: you will be asked" : plural(checks.length, "check"),
    budgets.attempts === undefined ? "" : plural(budgets.attempts, "attempt"),
    budgets.replans === undefined ? "" : plural(budgets.replans, "replan"),
  ].filter((fact) => fact !== "");
  return [
    `  ${style.bold(id)}  ${kind === null || kind === "work" ? tier : kind}: ${wholeLine(title)}`,
    ...(facts.length === 0 ? [] : [style.dim(`    ${facts.join(" · ")}`)]),
    ...(body.trim() === "" ? [] : quoteLines(body.trim(), "    | ")),
  ];
}
