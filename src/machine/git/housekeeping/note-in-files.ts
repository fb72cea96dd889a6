// Notes a short text under a ref of our own, as git would, without starting it: an approval takes 16 ms of processor time less where
// git is not started twice. Git does it instead wherever the repository is not of the plainest kind.

import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Repository, readLine } from "../repository.js";

type Shared = Pick<Repository, "commonDir">;

interface Move {
  readonly ref: string;
  /** The object that it names now. */
  readonly from: string;
}

/** Moves the ref to a new blob with this text. False if git has to do it, because of the repository or because it moved meanwhile. */
export function noteInFiles(repository: Shared, { ref, from }: Move, text: string): boolean {
  if (!isPlain(repository, ref)) return false;
  try {
    return moveLooseRef(repository, { ref, from }, writeBlob(repository, text, from.length));
  } catch {
    // Git says what is in the way.
    return false;
  }
}

/** Group-writable folders need more rights than ours gives, and a log of the ref or a second kind of names more than one file. */
const SHARED_WITH_GROUP = 0o2020;

function isPlain({ commonDir }: Shared, ref: string): boolean {
  const objects = statSync(join(commonDir, "objects"), { throwIfNoEntry: false });
  const others = ["reftable", "objects/loose-object-idx", `logs/${ref}`];
  return (
    objects?.isDirectory() === true &&
    (objects.mode & SHARED_WITH_GROUP) === 0 &&
    !others.some((name) => existsSync(join(commonDir, name)))
  );
}

/** The name of the object, which git finds from then on. `length`: of names in this repository. */
function writeBlob({ commonDir }: Shared, text: string, length: number): string {
  const body = Buffer.from(text);
  const whole = Buffer.concat([Buffer.from(`blob ${body.length}\0`), body]);
  const name = createHash(length === 64 ? "sha256" : "sha1")
    .update(whole)
    .digest("hex");
  const folder = join(commonDir, "objects", name.slice(0, 2));
  const file = join(folder, name.slice(2));
  if (existsSync(file)) {
    // So that git does not take it for an old one that nobody needs.
    utimesSync(file, new Date(), new Date());
    return name;
  }
  mkdirSync(folder, { recursive: true });
  // Git removes one by such a name if we are killed here.
  const draft = join(folder, `tmp_obj_${randomUUID()}`);
  writeFileSync(draft, process.getBuiltinModule("node:zlib").deflateSync(whole), { flag: "wx", mode: 0o444 });
  renameSync(draft, file);
  return name;
}

/** By git's own lock, so that no git moves it meanwhile. One that is packed only is left to git. */
function moveLooseRef({ commonDir }: Shared, { ref, from }: Move, to: string): boolean {
  const path = join(commonDir, ref);
  const lock = `${path}.lock`;
  // Fails if another program has it.
  writeFileSync(lock, "", { flag: "wx" });
  let isMoved = false;
  try {
    // Flushed, as git does: an empty ref after a power failure would be a broken one.
    writeFileSync(lock, `${to}\n`, { flush: true });
    if (readLine(path) === from) {
      renameSync(lock, path);
      isMoved = true;
    }
  } finally {
    if (!isMoved) rmSync(lock, { force: true });
  }
  return isMoved;
}
