import { ok, usage } from "../../../app/vocabulary.js";
import { allCommands } from "../catalogue.js";
import type { Command } from "../command.js";
import { renderCompletion, SHELLS } from "../completion.js";

export const completion: Command = {
  name: "completion",
  group: "tending",
  summary: "Print the completion script of a shell",
  description: [
    "bash: put `source <(planwright completion bash)` into ~/.bashrc.",
    "zsh: put `source <(planwright completion zsh)` into ~/.zshrc, after compinit.",
    "fish: planwright completion fish > ~/.config/fish/completions/planwright.fish",
  ].join("\n"),
  arguments: [{ name: "SHELL", help: SHELLS.join(", ") }],
  examples: [{ run: "source <(planwright completion bash)", does: "completes commands and flags in this shell" }],
  run: async (input) => {
    const shell = SHELLS.find((name) => name === input.args[0]);
    if (!shell) {
      return usage("unknown-shell", `There is no completion for "${(input.args[0] ?? "").slice(0, 60)}".`, {
        hint: `Known shells are ${SHELLS.join(", ")}.`,
      });
    }
    const script = renderCompletion(shell, await allCommands());
    return ok({ data: { shell, script }, text: () => script.trimEnd() });
  },
};
