// A line of a transcript as one of the things that a worker does: it reads, edits, runs or says. An agent writes one JSON entry for
// each thing that happened, a shell worker its commands and their output. The board reads it, too.

export interface TranscriptLine {
  readonly verb: "reads" | "edits" | "runs" | "asks" | "says" | "";
  readonly text: string;
  /** When it happened, if that is known. */
  readonly at: number | null;
  readonly tone: "" | "stop" | "soft";
}

const TOOLS: readonly (readonly [RegExp, TranscriptLine["verb"]])[] = [
  [/^(?:run|bash|exec|shell|execute|command|terminal)/i, "runs"],
  [/^(?:read|grep|glob|search|list|ls|view|open|fetch|web)/i, "reads"],
  [/^(?:edit|write|create|delete|move|patch|update|multi|notebook|apply)/i, "edits"],
];

const verbOf = (tool: string): TranscriptLine["verb"] => TOOLS.find(([pattern]) => pattern.test(tool))?.[1] ?? "runs";

const plain = (text: string): TranscriptLine => {
  if (text.startsWith("$ ")) return { verb: "runs", text: text.slice(2), at: null, tone: "" };
  return { verb: "", text, at: null, tone: /^\s*(✗|✘|×|not ok|FAIL|error[:\s])/i.test(text) ? "stop" : "soft" };
};

const words = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MAIN_FIELDS = ["command", "file_path", "path", "pattern", "query", "url"];

/** The one thing of a tool's input that a person looks for. Without one, the tool's name and all of the input. */
function shortDetail(name: string, detail: string): string {
  try {
    const input: unknown = JSON.parse(detail);
    const main = isRecord(input) ? MAIN_FIELDS.find((field) => input[field] !== undefined) : undefined;
    return isRecord(input) && main !== undefined ? words(input[main]) : `${name} ${detail}`;
  } catch {
    return detail || name;
  }
}

function toolLine(entry: Readonly<Record<string, unknown>>, at: number | null): TranscriptLine {
  const name = words(entry["name"]);
  const detail = words(entry["detail"]);
  const verb = verbOf(name);
  if (entry["state"] === "started") return { verb, text: shortDetail(name, detail), at, tone: "" };
  if (entry["state"] === "failed") return { verb: "", text: `✗ ${detail || name}`, at, tone: "stop" };
  // What was read is not repeated; what a command printed is.
  return { verb: "", text: verb === "runs" ? detail : "", at, tone: "soft" };
}

function entryLine(entry: Readonly<Record<string, unknown>>): TranscriptLine {
  const time = Date.parse(words(entry["at"]));
  const at = Number.isNaN(time) ? null : time;
  const type = entry["type"];
  if (type === "tool") return toolLine(entry, at);
  if (type === "text") return { verb: "says", text: words(entry["text"]).trim(), at, tone: "" };
  if (type === "thought" || type === "notice")
    return { verb: "says", text: words(entry["text"]).trim(), at, tone: "soft" };
  if (type === "prompt") return { verb: "asks", text: words(entry["text"]).trim(), at, tone: "soft" };
  if (type === "permission") {
    const granted = entry["granted"] === true;
    return {
      verb: "",
      text: `${granted ? "allowed" : "refused"}: ${words(entry["what"])}`,
      at,
      tone: granted ? "soft" : "stop",
    };
  }
  if (type === "refused") return { verb: "", text: `✗ ${words(entry["problems"])}`, at, tone: "stop" };
  if (type === "result" && entry["ending"] !== "finished") {
    const said = [entry["ending"], entry["message"]].map(words).filter((part) => part !== "");
    return { verb: "", text: `✗ ${said.join(": ") || "ended"}`, at, tone: "stop" };
  }
  if (type === "left-out") return { verb: "", text: words(entry["because"]), at, tone: "soft" };
  return { verb: "", text: "", at, tone: "soft" };
}

/** Texts of an entry that was cut because it was too long. The last one may end anywhere. */
const CUT_FIELD = /"(at|type|name|state|text|detail|what|problems|because|ending|message)":"((?:[^"\\]|\\.)*)/g;

function readCutEntry(line: string): Readonly<Record<string, unknown>> {
  const fields = [...line.matchAll(CUT_FIELD)].map(([, name = "", text = ""]) => [name, unquoted(text)] as const);
  return Object.fromEntries(fields);
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

export function transcriptLine(line: string): TranscriptLine {
  if (!line.startsWith("{")) return plain(line);
  try {
    return entryLine(JSON.parse(line) as Readonly<Record<string, unknown>>);
  } catch {
    const entry = readCutEntry(line);
    return "type" in entry ? entryLine(entry) : plain(line);
  }
}

/** `runs npm test`: in one line, for a list. Empty where nothing is worth a line. */
export function transcriptWords(line: string): string {
  const { verb, text } = transcriptLine(line);
  const [first = "", ...more] = text.trim().split("\n");
  const words = more.length > 0 ? `${first} …` : first;
  return verb === "" || verb === "says" ? words : `${verb} ${words}`;
}
