import { ok, type Result, usage } from "../../../app/vocabulary.js";
import type { Answer, App, Command, Input, Style } from "../command.js";
import { seconds } from "../render-planning.js";
import { harmless } from "../style.js";

const PROBLEMS = 1;
const TEST_MINUTES = 2;

export const agents: Command = {
  name: "agents",
  group: "planning",
  summary: "Which coding agents are here, what they can do, and which role each serves",
  description:
    "Lists the agents that are known by name and those that planwright.json names: whether each is installed, its version, whether it can resume a conversation, give structured output and count its usage, and the roles it serves. `agents test NAME` proves one with a single tiny turn.",
  arguments: [
    { name: "test", help: "prove one, instead of listing all", optional: true },
    { name: "NAME", help: "with test: which one", optional: true },
  ],
  flags: {
    "timeout-minutes": {
      type: "number",
      min: 0.001,
      max: 1000,
      value: "N",
      help: "with test: how long it may take (2)",
    },
  },
  examples: [
    { run: "planwright agents", does: "lists them" },
    { run: "planwright agents test claude", does: "asks Claude Code one tiny question" },
  ],
  run: async (input, app) => {
    const [word, name] = input.args;
    if (word === undefined) return list(app);
    if (word !== "test" || name === undefined) {
      return usage("usage", `"agents ${input.args.join(" ").slice(0, 60)}" is not something that can be asked.`, {
        hint: "`planwright agents` or `planwright agents test NAME`.",
      });
    }
    return test(name, input, app);
  },
};

async function list(app: App): Promise<Result<Answer>> {
  const { agents: found, roles } = await (await app.engines()).office.list();
  return ok({
    data: { agents: found, roles },
    text: (style) =>
      found
        .map(({ name, title, installed, version, capabilities, serves, install }) => {
          const mark = installed ? style.green("●") : style.dim("○");
          const can = [
            capabilities.resume ? "resumes" : "",
            `structured output (${capabilities.structured})`,
            `usage: ${capabilities.usage}`,
          ].filter(Boolean);
          const head = `${mark} ${style.bold(name.padEnd(10))} ${title}${version === null ? "" : ` ${version}`}`;
          const serving = serves.length > 0 ? [`    serves ${serves.join(", ")}`] : [];
          return installed
            ? [head, style.dim(`    ${can.join(", ")}`), ...serving].join("\n")
            : `${head} ${style.dim(`not installed: ${install}`)}`;
        })
        .concat(outlineLines(roles, style), nobodyLines(roles, style))
        .join("\n"),
    note: () => {
      const first = found.find(({ installed }) => installed);
      return first
        ? `planwright agents test ${first.name}   proves that it answers`
        : "planwright plan docs/spec.md   works without any of them";
    },
  });
}

type Roles = Readonly<Record<string, string>>;

const servedBy = (roles: Roles, name: string): string =>
  Object.entries(roles)
    .filter(([, agent]) => agent === name)
    .map(([role]) => role)
    .join(", ");

function outlineLines(roles: Roles, style: Style): string[] {
  const serving = servedBy(roles, "outline");
  const head = `${style.green("●")} ${style.bold("outline".padEnd(10))} the built-in planner, no model`;
  return serving === "" ? [] : [`${head}\n    serves ${serving}`];
}

function nobodyLines(roles: Roles, style: Style): string[] {
  const unserved = servedBy(roles, "none");
  return unserved === "" ? [] : [style.dim(`Nobody serves ${unserved}.`)];
}

async function test(name: string, input: Input, app: App): Promise<Result<Answer>> {
  const { office } = await app.engines();
  const proof = await office.test(name, (input.number("timeout-minutes") ?? TEST_MINUTES) * 60_000, app.interrupted());
  if (!proof.ok) return proof;
  const { works, ending, message, durationMs, usage: used } = proof.value;
  return ok({
    data: proof.value,
    exit: works ? 0 : PROBLEMS,
    text: (style) =>
      works
        ? `${style.green("✓")} ${name} answered in ${seconds(durationMs)} (${used.inputTokens + used.outputTokens} tokens)`
        : `${style.red("✗")} ${name}: ${ending}${message === null ? "" : `: ${harmless(message)}`}`,
    note: () => (works ? "" : "planwright agents   shows how to install it, and what planwright.json says"),
  });
}
