// What every other tool has: a name, where its files are, and how they are read.

import type { SourceFiles } from "../readers/source-files.js";
import type { SourceRead } from "../source/source.js";

export interface SourceOptions {
  /** Take plain list items as tasks, too. */
  readonly bullets?: boolean;
  /** The moment of the import, for what is put off until a day. */
  readonly now: number;
}

export interface Format {
  /** What it is called in a command. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** Its files or folders below a folder, if it is there. */
  find(files: SourceFiles): string[];
  /** Whether a single file, by its path and its beginning, is one of its own. */
  readonly recognizes?: (path: string, beginning: string) => boolean;
  read(files: SourceFiles, path: string, options: SourceOptions): SourceRead;
}
