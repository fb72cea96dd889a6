import { isoTime } from "../../model/iso-time.js";
import { ok, planVerb, type Session } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "browsers", group: "tool", aliases: ["browsers list"] },
  summary: "List the browsers in which you typed a code of the board",
  description:
    "A browser signs in to the board with a code once. Then its key signs what you do there, until you remove it or do not use it for 30 days. The key never leaves the browser.",
  effect: "reads",
  examples: [{ input: {}, does: "lists them, with when they were used last" }],
  run: async (session) => {
    const browsers = (await knownBrowsers(session)).list();
    return ok(
      browsers.map(({ id, name, actor, port, since, usedAt }) => ({
        id,
        name,
        actor,
        port,
        since: isoTime(since),
        usedAt: isoTime(usedAt),
      })),
    );
  },
  text: (browsers, style) =>
    browsers.length === 0
      ? style.dim("No browser is signed in to the board of this workspace.")
      : browsers.map(
          ({ id, name, actor, port, since, usedAt }) =>
            `${style.bold(id)}  ${name}  port ${port}  ${actor}  since ${since.slice(0, 10)}, last used ${usedAt.slice(0, 10)}`,
        ),
});

/** Read when it is asked for: few commands need it. */
export async function knownBrowsers({ root, env }: Pick<Session, "root" | "env">) {
  const { KnownBrowsers } = await import("../services/known-browsers.js");
  const { browsersFolder } = await import("../../config/state-folder.js");
  return new KnownBrowsers(browsersFolder(root, env));
}
