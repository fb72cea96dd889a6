// Notes the end of the log in git after what only a person may do and after runs: `verify` then knows if the log was rewritten.

import type { Context } from "../actions/context.js";
import { noteLogHead } from "../git/log-head.js";
import { findRepository } from "../git/repository.js";

/** A note that could not be made is made next time. */
export async function noteHead({ store, root }: Pick<Context, "store" | "root">): Promise<void> {
  if (!findRepository(root)) return;
  const end = await store.read((reader) => reader.link());
  if (end) await noteLogHead(root, end);
}
