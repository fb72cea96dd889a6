// A question: what it holds up, the evidence without a click, the options with what each does, and a note for the asker.

import { useState } from "react";
import { perform, undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { say } from "../api/say.js";
import type { ApiFailure, Question, ShownNode, Step } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { approvalIn } from "../parts/approval-in.js";
import { WholeApproval } from "../parts/approval-whole.js";
import { useNow } from "../parts/bits.js";
import { Button, Key } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Output, Prose } from "../parts/prose.js";
import { Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { ago, exact, plural } from "../parts/words.js";
import { OpenFindings } from "../planning/findings.js";
import { SplitParts } from "./split-parts.js";
import { Suggestion } from "./suggestion.js";

/** Output of the check that failed last, and how often it failed. */
function Evidence({ node }: { readonly node: ShownNode }) {
  const attempts = useRead("attempt.list", { reference: node.id }).data ?? [];
  const failed = node.report?.checks.find(({ passed }) => !passed);
  if (!failed) return null;
  const tries = attempts.filter(({ endedAt }) => endedAt !== null).length;
  return (
    <div className="evidence">
      <p>
        The check <code>{failed.run}</code> failed{tries > 1 && ` in ${plural(tries, "attempt")}`}:{" "}
        <Plain text={failed.outcome} />.
      </p>
      {failed.output !== "" && <Output text={failed.output} limit={12} />}
    </div>
  );
}

/** Kinds of questions that a run asks because of what reviewers found. */
const ABOUT_FINDINGS: ReadonlySet<string> = new Set(["conformance", "critic", "stagnation", "limit", "overview"]);

function Why({ question, node }: { readonly question: Question; readonly node: ShownNode | undefined }) {
  if (question.split) return <SplitParts draft={question.split} />;
  if (node?.report?.checks.some(({ passed }) => !passed)) return <Evidence node={node} />;
  const context = question.context === "" ? null : <ContextLines text={question.context} />;
  const [run] = question.blocks;
  if (run !== undefined && ABOUT_FINDINGS.has(question.kind)) return <OpenFindings run={run} otherwise={context} />;
  return context;
}

const ContextLines = ({ text }: { readonly text: string }) => (
  <div className="evidence context">
    {text.split("\n").map((line, index) => (
      <p key={index}>
        <Prose text={line} />
      </p>
    ))}
  </div>
);

export function QuestionCard({ id, current = true }: { readonly id: string; readonly current?: boolean }) {
  const read = useRead("question.list", {});
  return (
    <Shown read={read} rows={3}>
      {(questions) => {
        const question = questions.find((each) => each.id === id);
        return question ? <QuestionForm key={id} question={question} current={current} /> : <p>{id} was answered.</p>;
      }}
    </Shown>
  );
}

function Expiry({ question: { expiresAt, recommended } }: { readonly question: Question }) {
  const now = useNow();
  if (expiresAt === null) return null;
  const at = Date.parse(expiresAt);
  const words = recommended === null ? "it expires" : "takes the recommended answer";
  return (
    <span className="hint" title={exact(at)}>
      {at > now ? `${words} in ${ago(now, at)}` : "it has expired; you can still answer"}
    </span>
  );
}

function Options({
  question,
  chosen,
  choose,
  keys,
}: {
  readonly question: Question;
  readonly chosen: string;
  readonly choose: (id: string) => void;
  readonly keys: boolean;
}) {
  return (
    <fieldset>
      <legend className="sr">Your answer to {question.id}</legend>
      {question.options.map(({ id, label, detail, free }, index) => (
        <label key={id} className="option">
          <input type="radio" name={question.id} checked={chosen === id} onChange={() => choose(id)} />
          <span>
            <b>
              <Plain text={free ? `${label.replace(/\s*…$/, "")} …` : label} />
            </b>
            {id === question.recommended && <em>recommended</em>}
            {detail !== "" && (
              <small>
                <Prose text={detail} />
              </small>
            )}
          </span>
          {keys && index < 9 && <Key>{String(index + 1)}</Key>}
        </label>
      ))}
    </fieldset>
  );
}

interface Answering {
  readonly busy: boolean;
  readonly refusal: ApiFailure | undefined;
  readonly send: (input: Readonly<Record<string, unknown>>) => void;
}

/** Says why not, in the card: an answer may need a note, or approve something that has to be seen first. */
function useAnswering(id: string): Answering {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiFailure>();
  const send = async (input: Readonly<Record<string, unknown>>): Promise<void> => {
    setBusy(true);
    const answer = await perform("question.answer", { id, ...input });
    setBusy(false);
    setRefusal(answer.ok || answer.error.reason === "declined" ? undefined : answer.error);
    if (!answer.ok) return;
    const { op } = answer.data as { readonly op: number | null };
    say(`You answered ${id}.`, op === null ? {} : { undo: () => undo(op) });
  };
  return { busy, refusal, send: (input) => void send(input) };
}

/** What the answer would approve, whole, with the button that says yes to exactly that. */
function Refused({ refusal, send }: { readonly refusal: ApiFailure; readonly send: Answering["send"] }) {
  const approval = approvalIn(refusal);
  const step = refusal.next.find(({ operation }) => operation === "question.answer");
  return (
    <div className="evidence" role="alert">
      <p className={approval ? "" : "stop-text"}>
        <Prose text={refusal.message} />
      </p>
      {approval && <WholeApproval preview={approval} />}
      {approval && step && (
        <div className="acts">
          <Button kind="primary" command={step.command} onClick={() => send(step.input)}>
            Approve {plural(approval.nodes.length, "node")} with this answer
          </Button>
        </div>
      )}
    </div>
  );
}

function QuestionForm({ question, current }: { readonly question: Question; readonly current: boolean }) {
  const { id, options, recommended, blocks, suggestion, next } = question;
  const [chosen, setChosen] = useState(recommended ?? options[0]?.id ?? "");
  const [note, setNote] = useState<string | null>(null);
  const about = useRead("show", blocks[0] === undefined ? null : { reference: blocks[0] }).data;
  const node = about && "tier" in about ? about : undefined;
  const mayAct = useMayAct();
  const { busy, refusal, send } = useAnswering(id);
  const isFree = options.length === 0 || options.find((option) => option.id === chosen)?.free === true;
  const step: Step | undefined = next.find(({ input }) => input["option"] === chosen) ?? next[0];
  const words = (note ?? "").trim();
  const answer = (): void => {
    if (options.length === 0) send({ option: words });
    else send({ option: chosen, ...(words !== "" && { note: words }) });
  };
  const digits = Object.fromEntries(
    options.slice(0, 9).map((option, index) => [String(index + 1), () => setChosen(option.id)]),
  );
  useKeys(mayAct && current ? { ...digits, "ctrl+Enter": answer, n: () => setNote((known) => known ?? "") } : {});
  return (
    <>
      <Why question={question} node={node} />
      {options.length > 0 && (
        <Options question={question} chosen={chosen} choose={setChosen} keys={mayAct && current} />
      )}
      {mayAct && (note !== null || isFree) && (
        <textarea
          className="note"
          aria-label={isFree ? "Your answer in your own words" : "A note that goes with your answer"}
          placeholder={isFree ? "Your own words" : "A note that goes with your answer"}
          value={note ?? ""}
          onChange={({ target }) => setNote(target.value)}
        />
      )}
      {refusal && <Refused refusal={refusal} send={send} />}
      {mayAct && (
        <div className="acts">
          <Button
            kind="primary"
            k="Ctrl ↵"
            onClick={answer}
            command={step?.command}
            disabled={busy || (isFree && words === "")}
          >
            Answer
          </Button>
          {note === null && !isFree && (
            <Button k="n" onClick={() => setNote("")}>
              Add a note
            </Button>
          )}
          <span className="grow" />
          <Expiry question={question} />
        </div>
      )}
      {suggestion && <Suggestion suggestion={suggestion} />}
    </>
  );
}
