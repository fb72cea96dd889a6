// Whether a plan that is about to be replaced knows somebody. It is attached, not opened: an engine may hold a file that it opened for
// as long as a statement exists.

import { existsSync } from "node:fs";
import { openBeside } from "../open.js";
import type { PeopleOptions } from "../store.js";
import { People } from "./people.js";
import { whoSigned } from "./seal-old-approvals.js";
import { idOfSecret } from "./signer.js";

/** Null if there is no plan that could be read. */
export async function knowsSomebodyOf(
  path: string,
  secrets: readonly string[],
  options: PeopleOptions,
): Promise<"somebody" | "others" | "nobody" | null> {
  if (!existsSync(path)) return null;
  try {
    const db = await openBeside(path);
    try {
      const people = new People(db, options);
      if (await people.isEmpty()) return "nobody";
      for (const secret of secrets) if (await people.find(idOfSecret(secret))) return "somebody";
      // An older program signed, and knew nobody.
      return typeof (await whoSigned(db, secrets)) === "string" ? "somebody" : "others";
    } finally {
      await db.run("detach database live");
      await db.close();
    }
  } catch {
    return null;
  }
}
