import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";

export const version: Command = {
  name: "version",
  group: "tending",
  summary: "Print the version",
  examples: [{ run: "planwright version", does: "prints the version of this program" }],
  run: async (_, app) => ok({ data: { version: app.version }, text: () => app.version }),
};
