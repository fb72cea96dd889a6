// Jira: the table that it exports, in the language of whoever exported it. Headers repeat, one column for each value.

import type { CsvRow } from "../readers/csv.js";
import type { SourceFiles } from "../readers/source-files.js";
import type { Place, SourceItem, SourceProgress, SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import { priorityOfWord } from "../source/words.js";
import type { Format } from "./format.js";
import { readTable, tablesWith } from "./tracker-csv.js";

const HEADERS = {
  summary: ["Summary", "Résumé", "Zusammenfassung", "Resumen"],
  key: ["Issue key", "Clé de ticket", "Vorgangsschlüssel", "Clave de incidencia"],
  id: ["Issue id", "ID de ticket", "Vorgangs-ID", "ID de la incidencia"],
  type: ["Issue Type", "Type de ticket", "Vorgangstyp", "Tipo de Incidencia"],
  status: ["Status", "État", "Estado"],
  category: ["Status Category", "Catégorie d'état", "Statuskategorie", "Categoría de estado"],
  resolution: ["Resolution", "Résolution", "Lösung", "Resolución"],
  priority: ["Priority", "Priorité", "Priorität", "Prioridad"],
  labels: ["Labels", "Étiquettes", "Stichwörter", "Etiquetas"],
  description: ["Description", "Beschreibung", "Descripción"],
  parentKey: ["Parent key", "Clé parent", "Custom field (Epic Link)", "Epic Link"],
  parentId: ["Parent", "Parent id"],
  comment: ["Comment", "Commentaire", "Kommentar", "Comentario"],
  estimate: ["Original estimate", "Original Estimate"],
  assignee: ["Assignee", "Responsable", "Bearbeiter"],
  inward: ["Inward issue link (Blocks)"],
  outward: ["Outward issue link (Blocks)"],
} as const;

export const jira: Format = {
  name: "jira-csv",
  title: "Jira CSV",
  find: (files) => tablesWith(files, isOurs),
  recognizes: (path, beginning) => /\.csv$/i.test(path) && isOurs(beginning),
  read,
};

const isOurs = (text: string): boolean => {
  const has = (name: string): boolean => text.slice(0, text.indexOf("\n")).includes(name);
  return HEADERS.key.some(has) && HEADERS.summary.some(has);
};

function read(files: SourceFiles, path: string): SourceRead {
  const { table, found } = readTable(files, path);
  const keys = new Map(table.rows.map((row) => [row.one(...HEADERS.id), row.one(...HEADERS.key)]));
  const blockedBy = new Map<string, string[]>();
  for (const row of table.rows) {
    const own = row.one(...HEADERS.key);
    for (const other of row.all(...HEADERS.outward)) blockedBy.set(other, [...(blockedBy.get(other) ?? []), own]);
  }
  for (const row of table.rows) {
    const at = { file: path, line: row.line };
    if (row.one(...HEADERS.key) === "") found.note(at, "A row without a key was left out.");
    else found.items.push(issueItem(row, at, keys, blockedBy));
  }
  return { tool: "Jira", title: "Jira", items: found.items, findings: found.findings, droppedFrees: true };
}

const keyOf = (id: string): string => `jira::${id}`;

function issueItem(
  row: CsvRow,
  at: Place,
  keys: ReadonlyMap<string, string>,
  blockedBy: ReadonlyMap<string, readonly string[]>,
): SourceItem {
  const id = row.one(...HEADERS.key);
  const parent = row.one(...HEADERS.parentKey) || keys.get(row.one(...HEADERS.parentId)) || "";
  const seconds = Number(row.one(...HEADERS.estimate));
  const type = row.one(...HEADERS.type);
  const assignee = row.one(...HEADERS.assignee);
  return {
    key: keyOf(id),
    id,
    displayId: id,
    title: row.one(...HEADERS.summary),
    body: row.one(...HEADERS.description),
    parent: parent === "" ? null : keyOf(parent),
    dependsOn: [...new Set([...row.all(...HEADERS.inward), ...(blockedBy.get(id) ?? [])])].map(keyOf),
    status: row.one(...HEADERS.status),
    progress: stateOf(row),
    labels: [...row.all(...HEADERS.labels), ...(/^(?:bug|spike)$/i.test(type) ? [type.toLowerCase()] : [])],
    priority: priorityOfWord(row.one(...HEADERS.priority)),
    estimateHours: seconds >= 36 ? seconds / 3600 : null,
    comments: [
      ...(assignee === "" ? [] : [`Assigned in Jira to ${assignee}.`]),
      ...row.all(...HEADERS.comment).map((comment) => comment.replace(/^([^;]*);[^;]*;/, "$1: ")),
    ],
    at,
  };
}

const DONE = /^(?:done|terminée?|fertig|listo|erledigt)/i;
const ACTIVE = /^(?:in progress|en cours|in arbeit|en curso)/i;
const DROPPED = /won.?t|duplicate|cannot reproduce|declined|doublon|duplikat/i;

function stateOf(row: CsvRow): SourceProgress {
  const category = row.one(...HEADERS.category);
  if (DROPPED.test(row.one(...HEADERS.resolution))) return "dropped";
  if (DONE.test(category)) return "done";
  if (ACTIVE.test(category)) return "active";
  if (category !== "") return "open";
  return progressOfWord(row.one(...HEADERS.status)) ?? "open";
}
