import { absent, fields, filled, ok, planVerb, refused, step } from "../kit/verb.js";
import { knownBrowsers } from "./browsers.js";

export const input = fields({ browser: filled("its id as browsers shows it, or all", "ID") });

export const verb = planVerb({
  command: { words: "browsers remove", group: "tool", positional: ["browser"] },
  summary: "Sign a browser out of the board",
  description:
    "Its key counts no more, also where a board runs: it reads and changes nothing from then on, until you type a new code there. Nothing else is lost.",
  who: "person",
  effect: "writes",
  destructive: true,
  input,
  examples: [
    { input: { browser: "3fa1c29e5b7d8846" }, does: "signs one browser out" },
    { input: { browser: "all" }, does: "signs all of them out" },
  ],
  run: async (session, { browser: named }) => {
    const browsers = await knownBrowsers(session);
    const removed = browsers.list().filter(({ id }) => named === "all" || id === named);
    if (removed.length === 0 && named !== "all")
      return absent("not-found", `No browser "${named.slice(0, 60)}" is signed in here.`, {
        next: [step("browsers.list")],
      });
    if (removed.every(({ id }) => browsers.remove(id)))
      return ok({ removed: removed.map(({ id, name }) => ({ id, name })) });
    return refused("no-settings-folder", "Your settings folder cannot be written, so the browser is still signed in.");
  },
  text: ({ removed }, style) =>
    removed.length === 0
      ? style.dim("No browser is signed in to the board of this workspace.")
      : removed.map(({ id, name }) => `${style.green("✓")} ${name} (${id}) is signed out`),
  next: () => [step("browsers.list")],
});
