import { lstatSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { isInside, realPath } from "../../base/paths.js";
import type { Format } from "../../exchange/formats/format.js";
import { type ImportReport, planImport } from "../../exchange/merge/plan-import.js";
import {
  type FoundSource,
  findSources,
  formatNamed,
  formatNames,
  formatOfFile,
  readSource,
} from "../../exchange/read-source.js";
import { placeText } from "../../exchange/source/source.js";
import {
  absent,
  actWithNumber,
  fields,
  filled,
  flag,
  harmless,
  type Infer,
  inLine,
  ok,
  optional,
  planVerb,
  plural,
  type Result,
  refused,
  type Session,
  type Style,
  step,
  undoStep,
  usage,
} from "../kit/verb.js";

export const input = fields({
  path: optional(filled("a file or a folder of another tool; without one, what is here is listed", "PATH")),
  from: optional(filled("the tool that wrote it, where the file does not tell", "TOOL")),
  dryRun: optional(flag("show what would change, and change nothing")),
  bullets: optional(flag("in Markdown, take list items without a box as tasks too")),
  strict: optional(flag("refuse if anything could not be carried over")),
});

export const verb = planVerb({
  command: { words: "import", group: "plan", positional: ["path"] },
  summary: "Import a plan from another tool, or update it from there",
  description: [
    "Without a path it looks for files of other tools in the workspace and says how to import them.",
    "An import is one operation. Importing again updates what changed in the source, keeps what you changed here, and never takes progress back.",
    "Nothing that is imported is approved, so none of its commands runs before you approve it. Everything that could not be carried over is listed with file and line.",
  ].join(" "),
  who: "person",
  effect: "writes",
  looksOnly: ({ path, dryRun }) => path === undefined || dryRun === true,
  hints: ["migrate"],
  input,
  examples: [
    { input: {}, does: "lists what could be imported from here" },
    { input: { path: "TODO.md", dryRun: true }, does: "shows what the check list would add" },
    { input: { path: ".taskmaster" }, does: "imports the tasks, or what changed in them" },
  ],
  run: async (session, asked): Promise<Result<Imported | Proposal>> =>
    asked.path === undefined ? propose(session) : importFrom(session, asked.path, asked),
  text: (answer, style) => ("found" in answer ? foundText(answer.found) : reportText(answer, style)),
  note: (answer) =>
    "found" in answer
      ? "Nothing was imported. Look first with --dry-run:"
      : answer.isDryRun
        ? "Nothing was changed. To import it:"
        : answer.added.length > 0
          ? "Nothing of it is approved yet."
          : "",
  next: (answer) =>
    "found" in answer
      ? answer.found.map(({ path, format }) => step("import", { path, from: format, dryRun: true }))
      : answer.isDryRun
        ? [step("import", answer.asked)]
        : [...answer.added.slice(0, 1).map(({ id }) => step("show", { reference: id })), ...undoStep(answer.op)],
});

interface Imported extends ImportReport {
  readonly op: number | null;
  readonly isDryRun: boolean;
  readonly path: string;
  readonly asked: Omit<Infer<typeof input>, "dryRun">;
}

interface Proposal {
  readonly found: readonly FoundSource[];
}

function propose({ root }: Session): Result<Proposal> {
  const found = findSources(root);
  if (found.length > 0) return ok({ found });
  return absent(
    "nothing-found",
    `There are no files of another tool in ${root}. Name a file or a folder, for example TODO.md.`,
    {
      next: [step("import", {}, "path")],
    },
  );
}

async function importFrom(session: Session, typed: string, asked: Infer<typeof input>): Promise<Result<Imported>> {
  const source = sourceAt(session, typed, asked.from);
  if (!source.ok) return source;
  const { root, path, format } = source.value;
  const read = readSource(root, format, path, { bullets: asked.bullets === true, now: session.now() });
  if (!read.ok) return read;
  const { dryRun = false, ...again } = asked;
  const rest = { isDryRun: dryRun, path, asked: again };
  const plan = async (writer: Parameters<typeof planImport>[0]) => {
    const planned = await planImport(writer, session.actor, read.value);
    if (!planned.ok || asked.strict !== true || planned.value.report.findings.length === 0) return planned;
    const [first] = planned.value.report.findings;
    const many = plural(planned.value.report.findings.length, "thing");
    const message = `${many} could not be carried over, the first at ${first ? `${placeText(first.at)}: ${first.message}` : ""} Nothing was imported.`;
    return refused("not-carried-over", message, { details: { findings: planned.value.report.findings } });
  };
  if (dryRun) {
    const planned = await session.store.rehearse(session.now, plan);
    return planned.ok ? ok({ ...planned.value.report, ...rest, op: null }) : planned;
  }
  return actWithNumber(session, "import", async (writer) => {
    const planned = await plan(writer);
    if (!planned.ok) return planned;
    const { changes, report } = planned.value;
    const counts = [plural(report.added.length, "new node"), plural(report.changed.length, "changed node")].join(
      " and ",
    );
    return ok({
      sentence: `${session.actor} imported ${counts} from ${report.tool} (${path})`,
      changes,
      value: { ...report, ...rest },
    });
  });
}

interface Source {
  readonly root: string;
  readonly path: string;
  readonly format: Format;
}

/** Inside of the workspace paths are relative to it, so that every clone gives items the same keys. */
function sourceAt(session: Session, typed: string, from: string | undefined): Result<Source> {
  const named = from === undefined ? undefined : formatNamed(from);
  if (from !== undefined && !named)
    return usage("bad-value", `No tool is called "${inLine(from)}". Choose one of ${formatNames().join(", ")}.`);
  const whole = resolve(session.cwd, typed);
  const kind = kindOf(whole);
  if (kind === undefined)
    return absent("no-such-file", `There is no file or folder ${inLine(typed)}.`, { next: [step("import")] });
  if (kind === "other") return usage("bad-source", `${inLine(typed)} is no file and no folder. Nothing was imported.`);
  const isHere = isInside(realPath(whole), realPath(session.root));
  if (kind === "folder") return sourceInFolder(isHere ? session.root : whole, whole, named, typed);
  const root = isHere ? session.root : dirname(whole);
  const path = relative(realPath(root), realPath(whole)).replaceAll("\\", "/");
  if (named) return ok({ root, path, format: named });
  const format = formatOfFile(root, path);
  if (!format.ok) return format;
  if (format.value) return ok({ root, path, format: format.value });
  return usage(
    "unknown-format",
    `Nothing tells which tool wrote ${inLine(typed)}. Add --from with one of ${formatNames().join(", ")}.`,
  );
}

function kindOf(path: string): "file" | "folder" | "other" | undefined {
  try {
    const found = lstatSync(path).isSymbolicLink() ? statSync(path) : lstatSync(path);
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  } catch {
    return undefined;
  }
}

/** The folder may be the source itself, hold it, or lie inside of it. */
function sourceInFolder(root: string, folder: string, named: Format | undefined, typed: string): Result<Source> {
  const hits = [...new Set([root, folder, dirname(folder)])].map((at) =>
    findSources(at)
      .filter(
        ({ format, path }) => (named === undefined || format === named.name) && touches(resolve(at, path), folder),
      )
      .map((found) => ({ root: at, path: found.path, format: formatNamed(found.format) as Format })),
  );
  const others = hits.find((each) => each.length > 0) ?? [];
  const [first] = others;
  if (!first) {
    return absent("nothing-found", `There is nothing of ${named ? named.title : "another tool"} in ${inLine(typed)}.`, {
      next: [step("import")],
    });
  }
  if (others.length === 1) return ok(first);
  const names = others.map(({ path, format }) => `${path} (${format.title})`).join(", ");
  return usage("several-sources", `${inLine(typed)} holds ${others.length} sources: ${names}. Import one at a time.`, {
    next: others.map(({ path, format }) => step("import", { path, from: format.name })),
  });
}

const touches = (source: string, folder: string): boolean => isInside(source, folder) || isInside(folder, source);

const SHOWN = 20;

const foundText = (found: readonly FoundSource[]): string[] =>
  found.map(({ title, path }) => `${harmless(path)}  ${title}`);

function reportText(report: Imported, style: Style): string[] {
  const { added, changed, unchanged, kept, gone, implied, findings, tool } = report;
  const more = (count: number): string[] => (count > SHOWN ? [style.dim(`  … and ${count - SHOWN} more`)] : []);
  const counts = [`${added.length} new`, `${changed.length} changed`, `${unchanged} unchanged`].join(", ");
  return [
    `${report.isDryRun ? "Would import" : "Imported"} from ${tool} (${harmless(report.path)}): ${counts}`,
    ...added.slice(0, SHOWN).map(({ id, title }) => `${style.green("+")} ${style.bold(id)}  ${inLine(title)}`),
    ...more(added.length),
    ...changed
      .slice(0, SHOWN)
      .map(({ id, fields: names }) => `${style.yellow("~")} ${style.bold(id)}  ${names.join(", ")}`),
    ...more(changed.length),
    ...kept.map(
      ({ id, fields: names }) =>
        `${style.yellow("=")} ${id} changed here and in ${tool}; yours stays: ${names.join(", ")}`,
    ),
    ...(gone.length > 0 ? [`Not in ${tool} any more, and left as they are: ${gone.slice(0, SHOWN).join(", ")}`] : []),
    ...(implied > 0 ? [`From the order of the source: ${plural(implied, "dependency", "dependencies")}`] : []),
    ...(findings.length > 0 ? [`${plural(findings.length, "remark")}:`] : []),
    ...findings.slice(0, SHOWN).map(({ at, message }) => `  ${harmless(placeText(at))}: ${inLine(message)}`),
    ...more(findings.length),
  ];
}
