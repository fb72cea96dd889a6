// The commands that a task carries for a worker without a model: fenced blocks of its body that say `run`.

const FENCE = /^(`{3,}|~{3,})[ \t]*([^\n]*)\n([\s\S]*?)^\1[ \t]*$/gm;

/** Each block as one script, in order. The fence's words must contain `run`, as in "```sh run". */
export const commandsIn = (body: string): string[] =>
  [...body.matchAll(FENCE)]
    .filter(([, , words = ""]) => words.split(/\s+/).includes("run"))
    .map(([, , , script = ""]) => script.trim())
    .filter((script) => script !== "");
