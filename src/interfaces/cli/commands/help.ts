import { absent, ok } from "../../../app/vocabulary.js";
import { allCommands, findCommand } from "../catalogue.js";
import type { Command } from "../command.js";
import { describeCommand, renderHelp, renderOverview } from "../help.js";

export const help: Command = {
  name: "help",
  group: "tending",
  summary: "Show the commands, or one of them",
  arguments: [{ name: "COMMAND", help: "the command to explain", optional: true }],
  examples: [{ run: "planwright help next", does: "explains next" }],
  run: async (input) => {
    const [name] = input.args;
    if (name === undefined) {
      const commands = await allCommands();
      return ok({ data: commands.map(describeCommand), text: (style) => renderOverview(commands, style) });
    }
    const command = await findCommand(name);
    if (!command) {
      return absent("unknown-command", `There is no command "${name}".`, { hint: "`planwright help` lists them." });
    }
    return ok({ data: describeCommand(command), text: (style) => renderHelp(command, style).trimEnd() });
  },
};
