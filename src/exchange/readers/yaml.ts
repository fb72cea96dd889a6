// YAML of other tools: one document, no tags that make anything, and few aliases, so that a small file cannot grow without end.

import { parseDocument } from "yaml";
import { messageOf } from "../../base/errors.js";
import { type Place, SourceProblem } from "../source/source.js";

const LARGEST = 8 * 1024 * 1024;
const MOST_ALIASES = 50;

/** `firstLine`: of the text in its file, where the text is only a part. */
export function readYaml(text: string, at: Place, firstLine = 1): unknown {
  if (text.length > LARGEST) throw new SourceProblem(at, "There is more than 8 MB of YAML.");
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, merge: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error) {
    const before = text.slice(0, error.pos[0]).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new SourceProblem(
      { file: at.file, line: firstLine + before.length - 1, column },
      `The YAML is wrong: ${error.message}`,
    );
  }
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES, mapAsMap: false });
  } catch (thrown) {
    throw new SourceProblem({ file: at.file, line: firstLine }, `The YAML is refused: ${messageOf(thrown)}`);
  }
}
