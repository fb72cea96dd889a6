import { appendFileSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "../../base/errors.js";
import { findPlainFile } from "../../base/plain-file.js";
import { MADE_HERE } from "../../exchange/export/markdown-list.js";
import type { PlanTree } from "../../exchange/export/plan-tree.js";
import { isoTime } from "../../model/iso-time.js";
import {
  choice,
  fields,
  filled,
  flag,
  harmless,
  type Infer,
  minute,
  node,
  ok,
  optional,
  planVerb,
  type Result,
  refused,
  resolve as resolveNode,
  rule,
  type Session,
  step,
} from "../kit/verb.js";

const FORMATS = ["json", "markdown", "csv", "html", "mermaid", "graphviz"] as const;

export const input = fields({
  format: choice(FORMATS, "what to make of it", "FORMAT"),
  to: optional(filled("the file to write; printed unless given", "FILE")),
  within: optional(node("only this branch")),
  all: optional(flag("also what is archived or dropped, and land tasks")),
  replace: optional(flag("overwrite the file, whoever wrote it")),
}).check(
  rule(
    "within",
    "cannot be used with json, which holds the whole plan",
    ({ format, within }) => format !== "json" || within === undefined,
  ),
);

export const verb = planVerb({
  command: { words: "export", group: "plan", positional: ["format"], flags: { within: "in" } },
  summary: "Write the plan for other programs or other people",
  description: [
    "json is the whole plan with its history, one JSON object per line; nothing is lost, and backup restore makes a plan of it again.",
    "markdown is a TODO list with a box for each task, csv a table, html a report in one file, mermaid and graphviz are graphs.",
    "It changes nothing in the plan, and overwrites only what an export wrote before.",
  ].join(" "),
  effect: "reads",
  hints: ["dump"],
  input,
  examples: [
    { input: { format: "markdown", to: "TODO.md" }, does: "writes a TODO list" },
    { input: { format: "json", to: "plan.jsonl" }, does: "writes the whole plan with its history" },
    { input: { format: "mermaid", within: "FEAT-001" }, does: "prints the graph of a feature" },
  ],
  run: async (session, asked) => (asked.format === "json" ? exportAll(session, asked) : exportView(session, asked)),
  text: ({ text, file }, style) =>
    file === null ? text.replace(/\n$/, "") : `${style.green("✓")} Wrote ${harmless(file)}`,
  next: ({ file, format }) => (file !== null && format === "json" ? [step("backup.restore", { file })] : []),
});

interface Exported {
  readonly format: (typeof FORMATS)[number];
  /** Empty if it was written into a file. */
  readonly text: string;
  readonly file: string | null;
}

type Asked = Infer<typeof input>;

async function exportView(session: Session, asked: Asked): Promise<Result<Exported>> {
  const tree = await session.store.read(async (reader) => {
    const { readTree } = await import("../../exchange/export/plan-tree.js");
    const within = asked.within === undefined ? ok(null) : await resolveNode(reader, asked.within, session);
    return within.ok ? ok(await readTree(reader, { within: within.value, all: asked.all === true })) : within;
  });
  if (!tree.ok) return tree;
  const text = await render(asked.format, tree.value, minute(isoTime(session.now())));
  return write(session, asked, async (put) => put(text));
}

async function render(format: Asked["format"], tree: PlanTree, at: string): Promise<string> {
  if (format === "markdown") return (await import("../../exchange/export/markdown-list.js")).markdownList(tree);
  if (format === "csv") return (await import("../../exchange/export/csv.js")).csvTable(tree);
  if (format === "html") return (await import("../../exchange/export/html-report.js")).htmlReport(tree, at);
  const { graphviz, mermaid } = await import("../../exchange/export/graphs.js");
  return format === "mermaid" ? mermaid(tree) : graphviz(tree);
}

/** From a copy, so that the lines are of one moment however long it takes. */
async function exportAll(session: Session, asked: Asked): Promise<Result<Exported>> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-export-"));
  try {
    const copy = join(folder, "plan.db");
    await session.store.backUp(copy);
    const { textCopyOf } = await import("../../store/open/text-copy.js");
    return await write(session, asked, async (put) => {
      for await (const line of textCopyOf(copy)) put(line);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const KEPT = 1 << 20;

async function write(
  { cwd }: Session,
  { format, to, replace = false }: Asked,
  work: (put: (text: string) => void) => Promise<void>,
): Promise<Result<Exported>> {
  if (to === undefined) {
    const parts: string[] = [];
    await work((text) => parts.push(text));
    return ok({ format, text: parts.join(""), file: null });
  }
  const file = resolve(cwd, to);
  if (!replace && existsSync(file) && !isOurs(file)) {
    return refused(
      "file-exists",
      `${to} exists already, and no export wrote it. Choose another name, or add --replace.`,
    );
  }
  const fresh = join(dirname(file), `.planwright-export-${process.pid}`);
  try {
    writeFileSync(fresh, "");
    let waiting = "";
    await work((text) => {
      waiting += text;
      if (waiting.length < KEPT) return;
      appendFileSync(fresh, waiting);
      waiting = "";
    });
    appendFileSync(fresh, waiting);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    const code = codeOf(error);
    if (code !== "ENOENT" && code !== "EACCES" && code !== "ENOTDIR" && code !== "EISDIR" && code !== "EROFS")
      throw error;
    return refused("not-written", `${to} cannot be written (${code}). Choose another place.`);
  }
  return ok({ format, text: "", file: to });
}

/** What an export wrote before, by its beginning. */
function isOurs(file: string): boolean {
  const beginning = findPlainFile(file)?.slice(0, 1000) ?? "";
  return (
    [MADE_HERE, '{"planwright":', "flowchart LR\n", "digraph plan {\n", "ID,Tier,Kind,Title,Status,"].some((start) =>
      beginning.startsWith(start),
    ) || beginning.includes('<meta name="generator" content="Planwright">')
  );
}
