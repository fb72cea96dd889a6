// Aura Frog: a tree of folders, or of files in older versions, with fields in front of each text. Its tiers are ours.

import { type FrontMatterFile, readFrontMatter } from "../readers/front-matter.js";
import type { SourceFiles } from "../readers/source-files.js";
import { fieldText, listedWords, recordsOf } from "../readers/values.js";
import { Collected, type SourceItem, type SourceProgress, type SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import type { Format } from "./format.js";

const FOLDERS = [".claude/plans", ".aura/plans"];

export const auraFrog: Format = {
  name: "aura-frog",
  title: "Aura Frog",
  find: (files) =>
    FOLDERS.filter((folder) => files.isFolder(`${folder}/features`) && missionOf(files, folder) !== undefined),
  read,
};

const missionOf = (files: SourceFiles, folder: string): string | undefined =>
  [`${folder}/mission/mission.md`, `${folder}/mission.md`].find((path) => files.isFile(path));

/** Deeper than any tree of it. */
const MOST_LEVELS = 12;

/** Copies of what was archived, checkpoints and traces are no nodes. */
const NO_NODES = /^(?:archive|checkpoints|traces)$/;

function filesBelow(files: SourceFiles, folder: string, level = 0): string[] {
  if (level > MOST_LEVELS) return [];
  const own = files.names(folder, "file").filter((name) => name.endsWith(".md") && name !== "INDEX.md");
  const folders = files.names(folder, "folder").filter((name) => !NO_NODES.test(name));
  return [
    ...own.map((name) => `${folder}/${name}`),
    ...folders.flatMap((name) => filesBelow(files, `${folder}/${name}`, level + 1)),
  ];
}

function read(files: SourceFiles, folder: string): SourceRead {
  const found = new Collected();
  for (const path of filesBelow(files, folder)) {
    const node = readFrontMatter(files, path);
    if (node && fieldText(node.fields, "tier") !== "") found.items.push(nodeItem(node));
  }
  return { tool: "Aura Frog", title: "Aura Frog", items: found.items, findings: found.findings };
}

const keyOf = (id: string): string => `aura-frog::${id}`;

const TIERS = [undefined, "initiative", "feature", "story", undefined] as const;

function nodeItem({ fields, path, body }: FrontMatterFile): SourceItem {
  const id = fieldText(fields, "id");
  const tier = Number(fieldText(fields, "tier"));
  const status = fieldText(fields, "status");
  const parent = fieldText(fields, "parent");
  const isMission = tier === 0;
  const artifacts = recordsOf(fields, "artifacts");
  return {
    key: keyOf(id),
    id,
    displayId: id,
    title: fieldText(fields, "intent"),
    body,
    // The mission of the plan is yours already; what is below it stands below yours.
    leftOut: isMission ? "the plan has a mission" : undefined,
    parent: parent === "" ? null : keyOf(parent),
    dependsOn: listedWords(fields, "depends_on").map(keyOf),
    status: status === "" ? null : status,
    progress: tier === 4 || status === "frozen" ? progressOfNode(status) : "open",
    reason: fieldText(fields, "freeze_reason") || undefined,
    isArchived: status === "archived",
    tier: TIERS[tier],
    files: artifacts.map((each) => fieldText(each, "path")),
    at: { file: path, line: 1 },
  };
}

const progressOfNode = (status: string): SourceProgress => progressOfWord(status) ?? "open";
