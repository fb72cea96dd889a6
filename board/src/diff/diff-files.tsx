// A diff, file by file; long ones are folded, and files outside of the footprint are marked.

import { useState } from "react";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Empty } from "../parts/states.js";
import { plural } from "../parts/words.js";
import { type DiffFile, parseDiff } from "./parse-diff.js";

const FOLDED = 500;

const isInside = (path: string, footprint: readonly string[]): boolean =>
  footprint.length === 0 ||
  footprint.some((each) => each === path || path.startsWith(`${each.replace(/\/?\*\*?$/, "")}/`));

/** Files that the task did not name. */
export const outsideOf = (files: readonly DiffFile[], footprint: readonly string[]): DiffFile[] =>
  files.filter(({ path }) => !isInside(path, footprint));

function File({ file, outside }: { readonly file: DiffFile; readonly outside: boolean }) {
  const [open, setOpen] = useState(file.lines.length <= FOLDED);
  return (
    <section className="diff-file">
      <header>
        <code>
          <Plain text={file.path} />
        </code>
        {outside && <span className="tag ask">outside its footprint</span>}
        <span className="grow" />
        <span className="num">
          +{file.added} −{file.removed}
        </span>
      </header>
      {open ? (
        <pre className="diff" tabIndex={0} aria-label={`Changes in ${file.path}`}>
          {file.lines.map(({ kind, text }, index) => (
            <i key={index} className={kind}>
              <Plain text={text === "" ? " " : text} />
            </i>
          ))}
        </pre>
      ) : (
        <Button kind="quiet" onClick={() => setOpen(true)}>
          Show {plural(file.lines.length, "line")}
        </Button>
      )}
    </section>
  );
}

export function DiffFiles({ diff, footprint }: { readonly diff: string; readonly footprint: readonly string[] }) {
  const files = parseDiff(diff);
  if (files.length === 0) return <Empty>Nothing changed.</Empty>;
  return files.map((file) => <File key={file.path} file={file} outside={!isInside(file.path, footprint)} />);
}
