import { triage as listTriage, type Triaged, type TriageView } from "../../../actions/question/triage.js";
import { ok, type Result, usage } from "../../../app/vocabulary.js";
import type { Answer, App, Command, Style } from "../command.js";
import { undoNote } from "../render-change.js";
import { harmless } from "../style.js";

export const triage: Command = {
  name: "triage",
  group: "deciding",
  summary: "Suggest what to do about each question of execution, and do it once it is proven",
  description:
    "Each open question is put into a bucket: stale, verified-done, now-buildable, genuine-decision or needs-design. Where something can be proven, `triage confirm` makes the proof again, and only then takes the question back, accepts the task or resets it. The rest is a person's to answer. At level auto the daemon confirms by itself, but never a split.",
  arguments: [
    { name: "DEED", help: "list (the default) or confirm", optional: true },
    { name: "ID", help: "of confirm: such as ESC-001", optional: true },
  ],
  examples: [
    { run: "planwright triage", does: "what is suggested for each, and what would prove it" },
    { run: "planwright triage confirm ESC-001", does: "proves it now, and does it" },
  ],
  run: async (input, app) => {
    const [deed = "list", id] = input.args;
    if (deed === "confirm") return confirm(app, id);
    if (deed === "list" && id === undefined) return list(app);
    return usage("usage", `"${[deed, id].join(" ").trim().slice(0, 60)}" is nothing that triage does.`, {
      hint: "`planwright triage`, or `planwright triage confirm ESC-001`.",
    });
  },
};

async function list(app: App): Promise<Result<Answer>> {
  const found = await listTriage(await app.open());
  if (!found.ok) return found;
  const first = found.value.find(({ proof }) => proof !== null) ?? found.value[0];
  return ok({
    data: found.value,
    text: (style) =>
      found.value.length === 0
        ? style.dim("No question of execution waits for an answer.")
        : found.value.map((view) => render(view, style)).join("\n\n"),
    note: () => first?.next ?? "",
  });
}

function render({ id, question, bucket, verb, proof, why }: TriageView, style: Style): string {
  const mark = proof === null ? style.yellow("?") : style.green("→");
  const proves = proof === null ? "a person decides" : `proof: ${proof}`;
  return [
    `${mark} ${style.bold(id)}  ${harmless(question)}`,
    `  ${bucket}: ${verb}  ${style.dim(`(${proves})`)}`,
    `  ${style.dim(harmless(why))}`,
  ].join("\n");
}

async function confirm(app: App, id: string | undefined): Promise<Result<Answer>> {
  if (id === undefined) {
    return usage("usage", "planwright triage confirm needs ID.", { hint: "`planwright triage` lists them." });
  }
  const workshop = (await app.engines()).workshop();
  if (!workshop.ok) return workshop;
  const done = await workshop.value.confirmTriage(id);
  return done.ok ? ok(confirmed(done.value)) : done;
}

const DID: Readonly<Record<Triaged["verb"], string>> = {
  withdraw: "taken back",
  accept: "accepted",
  reset: "reset",
  answer: "answered",
  replan: "planned anew",
};

const confirmed = (done: Triaged): Answer => ({
  data: done,
  text: (style) => {
    const what = done.verb === "withdraw" ? `${done.id} is taken back` : `${done.about ?? ""} is ${DID[done.verb]}`;
    return `${style.green("✓")} ${style.bold(done.id)}  ${what}\n  ${style.dim(`${done.proof}: ${harmless(done.seen)}`)}`;
  },
  note: () => undoNote(done.op),
});
