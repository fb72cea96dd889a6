// How each real agent is set up to talk to a scripted model on the loopback interface, with a home of its own, and
// what its tools are called. `scripts/test-agents.mjs` installs them and says where.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SUBMIT_SERVER } from "../../src/machine/agents/mcp.js";
import { type OpenedAgent, openAgent } from "../../src/machine/agents/open-agent.js";
import { type Act, contract, type Rig } from "./contract.js";
import { type ModelRequest, type ScriptedModel, scripted, startScriptedModel } from "./scripted-model.js";
import type { Step, ToolCall } from "./wire.js";

export interface Setup {
  readonly version: RegExp;
  readonly model?: string;
  readonly args?: readonly string[];
  /** Files below its home. */
  files?(url: string): Readonly<Record<string, string>>;
  env(url: string, home: string): Readonly<Record<string, string>>;
  write(path: string, content: string): ToolCall;
  run(command: string): ToolCall;
  /** A tool of our own server. */
  ours(tool: string, input: unknown): ToolCall;
}

const codexConfig = (url: string): string => `
model = "gpt-5.5"
model_provider = "scripted"
[features]
plugins = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;

const geminiSettings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};

const opencodeConfig = (url: string) => ({
  model: "scripted/m1",
  small_model: "scripted/m1",
  provider: {
    scripted: {
      npm: "@ai-sdk/openai-compatible",
      name: "scripted",
      options: { baseURL: `${url}/v1`, apiKey: "none" },
      models: { m1: { name: "m1", cost: { input: 3, output: 15 }, limit: { context: 200_000, output: 8_000 } } },
    },
  },
});

const SETUPS: Readonly<Record<string, Setup>> = {
  claude: {
    version: /^2\.1\.325$/,
    model: "claude-sonnet-5",
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    }),
    write: (path, content) => ({ name: "Write", input: { file_path: path, content } }),
    run: (command) => ({ name: "Bash", input: { command } }),
    ours: (tool, input) => ({ name: `mcp__${SUBMIT_SERVER}__${tool}`, input }),
  },
  codex: {
    version: /^0\.166\.0$/,
    model: "gpt-5.5",
    files: (url) => ({ ".codex/config.toml": codexConfig(url) }),
    env: (_, home) => ({ CODEX_HOME: join(home, ".codex") }),
    write: (path, content) => ({ name: "exec_command", input: { cmd: `printf %s '${content}' > '${path}'` } }),
    run: (cmd) => ({ name: "exec_command", input: { cmd } }),
    ours: (name, input) => ({ name, namespace: `mcp__${SUBMIT_SERVER}`, input }),
  },
  gemini: {
    version: /^0\.61\.0$/,
    model: "gemini-2.5-flash",
    files: () => ({ ".gemini/settings.json": JSON.stringify(geminiSettings) }),
    env: (url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url }),
    write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
    run: (command) => ({ name: "run_shell_command", input: { command } }),
    ours: (tool, input) => ({ name: `mcp_${SUBMIT_SERVER}_${tool}`, input }),
  },
  opencode: {
    version: /^1\.18\.33$/,
    // It would begin by reading a list of every model there is.
    files: () => ({ "models.json": "{}" }),
    env: (url, home) => ({
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_MODELS_PATH: join(home, "models.json"),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(url)),
    }),
    write: (path, content) => ({ name: "write", input: { filePath: path, content } }),
    run: (command) => ({ name: "bash", input: { command, description: "Runs a command" } }),
    ours: (tool, input) => ({ name: `${SUBMIT_SERVER}_${tool}`, input }),
  },
  copilot: {
    version: /^1\.0\.102$/,
    args: ["--disable-client-telemetry"],
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "gpt-4.1",
    }),
    write: (path, content) => ({ name: "create", input: { path, file_text: content } }),
    run: (command) => ({ name: "bash", input: { command, description: "Runs a command" } }),
    ours: (tool, input) => ({ name: `${SUBMIT_SERVER}-${tool}`, input }),
  },
  qwen: {
    version: /^0\.24\.4$/,
    args: ["--auth-type", "openai"],
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "none", OPENAI_MODEL: "m1" }),
    write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
    run: (command) => ({ name: "run_shell_command", input: { command, is_background: false } }),
    ours: (tool, input) => ({ name: `mcp__${SUBMIT_SERVER}__${tool}`, input }),
  },
};

/** Stands in scripts for whichever tool the prompt names. */
export const SUBMIT = "hand in";
const LOOK_UP = "look up";

export const lookUp = (name: string): Step => ({ tools: [{ name: LOOK_UP, input: { name } }] });

function stepOf(act: Act, setup: Setup): Step {
  if ("say" in act) return { text: act.say };
  if ("write" in act) return { text: "I write.", tools: [setup.write(act.write.path, act.write.content)] };
  if ("submit" in act) return { tools: [{ name: SUBMIT, input: act.submit }] };
  if ("lookUp" in act) return lookUp(act.lookUp);
  return act;
}

export function nameTools(step: Step, { prompt }: Pick<ModelRequest, "prompt">, setup: Setup): Step {
  const asText = prompt.includes("`submit_json`");
  const tools = step.tools?.map((tool) => {
    if (tool.name === LOOK_UP) return setup.ours("look_up", tool.input);
    if (tool.name !== SUBMIT) return tool;
    return asText ? setup.ours("submit_json", { json: JSON.stringify(tool.input) }) : setup.ours("submit", tool.input);
  });
  return tools === undefined ? step : { ...step, tools };
}

function settle(home: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }
}

/** As on the machine of a user: this agent and all others that are installed are on the PATH. */
function pathWith(command: string): string {
  const others = Object.values(installedAgents()).flatMap((agent) => agent?.command ?? []);
  return [...new Set([command, ...others].map((file) => dirname(file))), process.env["PATH"] ?? ""].join(":");
}

/** Its home furnished for the model at this address; what it is started with. */
export function furnish(command: string, setup: Setup, home: string, url: string) {
  settle(home, setup.files?.(url) ?? {});
  const common = { HOME: home, PATH: pathWith(command), TMPDIR: join(home, "tmp"), LANG: "C.UTF-8" };
  const settings = { command, ...(setup.args && { args: setup.args }), ...(setup.model && { model: setup.model }) };
  return { settings, env: { ...common, ...setup.env(url, home) } };
}

async function openRig(name: string, command: string, setup: Setup, home: string): Promise<Rig> {
  const model: ScriptedModel = await startScriptedModel({ change: (step, request) => nameTools(step, request, setup) });
  const { settings, env } = furnish(command, setup, home, model.url);
  const agent = openAgent(name, settings, env) as OpenedAgent;
  const log = process.env["PLANWRIGHT_AGENTS_LOG"];
  return {
    agent,
    env: agent.env,
    version: setup.version,
    prompt: (acts, reminded) => {
      const inWords = (list: readonly Act[] | undefined) => list?.map((act) => stepOf(act, setup));
      return `Do as the script says. ${scripted(inWords(acts) ?? [], inWords(reminded))}`;
    },
    hanging: () => {
      const seen = model.requests.length;
      return model.requested((request) => request.step.hang === true && model.requests.indexOf(request) >= seen);
    },
    heard: (_, words) =>
      model.requests.at(-1)?.turns.some(({ results }) => results.some((result) => result.includes(words))) === true,
    remembers: async (_, words) =>
      model.requests.at(-1)?.turns.some(({ role, text }) => role === "assistant" && text.includes(words)) === true,
    close: async () => {
      if (log !== undefined)
        writeFileSync(
          `${log}/${name}.json`,
          JSON.stringify({ requests: model.requests, others: model.others }, null, 1),
        );
      await model.close();
    },
  };
}

type Installed = Readonly<Record<string, { readonly command?: string; readonly reason?: string } | undefined>>;

const installedAgents = (): Installed => JSON.parse(process.env["PLANWRIGHT_AGENTS"] ?? "{}") as Installed;

/** How an agent is set up, and its command or a word on why there is none. */
export function realAgent(name: string): { setup: Setup; command: string | undefined; reason: string } {
  const { command, reason = "use npm run test:agents, which installs it" } = installedAgents()[name] ?? {};
  return { setup: SETUPS[name] as Setup, command, reason };
}

/** The contract over one real agent, or a word on why not. */
export function realContract(name: string): void {
  const { setup, command, reason } = realAgent(name);
  if (command === undefined) contract(`${name} (${reason})`, undefined);
  else contract(name, (home) => openRig(name, command, setup, home));
}
