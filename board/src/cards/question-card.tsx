// A question: what it holds up, the evidence without a click, the options with what each does, and a note for whoever asked.

import { useState } from "react";
import { act } from "../api/act.js";
import { useRead } from "../api/reads.js";
import type { Question, ShownNode } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { Button, Key } from "../parts/button.js";
import { Id, Output, Plain, Prose } from "../parts/prose.js";
import { Shown } from "../parts/states.js";
import { StepButton, useMayAct } from "../parts/step-button.js";
import { ago, exact, named } from "../parts/words.js";

/** Output of the check that failed last. */
function Evidence({ node }: { readonly node: ShownNode | undefined }) {
  const failed = node?.report?.checks.find(({ passed }) => !passed);
  if (!failed) return null;
  return (
    <div className="evidence">
      <p>
        The check <code>{failed.run}</code> failed: <Plain text={failed.outcome} />.
      </p>
      {failed.output !== "" && <Output text={failed.output} limit={20} />}
    </div>
  );
}

function Context({ text }: { readonly text: string }) {
  return (
    <p>
      <Prose text={text} />
    </p>
  );
}

export function QuestionCard({ id }: { readonly id: string }) {
  const read = useRead("question.list", {});
  return (
    <Shown read={read} rows={3}>
      {(questions) => {
        const question = questions.find((each) => each.id === id);
        return question ? <QuestionForm key={id} question={question} /> : <p>{id} was answered.</p>;
      }}
    </Shown>
  );
}

function Expiry({ question: { expiresAt, recommended } }: { readonly question: Question }) {
  if (expiresAt === null) return null;
  const at = Date.parse(expiresAt);
  const words = recommended === null ? "it expires" : "takes the recommended answer";
  return (
    <span className="hint" title={exact(at)}>
      {at > Date.now() ? `${words} in ${ago(Date.now(), at)}` : "it has expired; you can still answer"}
    </span>
  );
}

function Options({
  question,
  chosen,
  choose,
}: {
  readonly question: Question;
  readonly chosen: string;
  readonly choose: (id: string) => void;
}) {
  return (
    <fieldset>
      <legend className="sr">Your answer to {question.id}</legend>
      {question.options.map(({ id, label, detail }, index) => (
        <label key={id} className="option">
          <input type="radio" name={question.id} checked={chosen === id} onChange={() => choose(id)} />
          <span>
            <b>
              <Plain text={label} />
            </b>
            {id === question.recommended && <em>recommended</em>}
            {detail !== "" && detail !== null && (
              <small>
                <Prose text={detail} />
              </small>
            )}
          </span>
          {index < 9 && <Key>{String(index + 1)}</Key>}
        </label>
      ))}
    </fieldset>
  );
}

function QuestionForm({ question }: { readonly question: Question }) {
  const { id, options, recommended, blocks, context, suggestion } = question;
  const [chosen, setChosen] = useState(recommended ?? options[0]?.id ?? "");
  const [note, setNote] = useState<string | null>(chosen === "" ? "" : null);
  const about = useRead("show", blocks[0] === undefined ? null : { reference: blocks[0] }).data;
  const node = about && "tier" in about ? about : undefined;
  const mayAct = useMayAct();
  const answer = (): void => {
    const option = chosen === "" ? (note ?? "") : chosen;
    const words = note !== null && note.trim() !== "" && chosen !== "" ? { note } : {};
    void act("question.answer", { id, option, ...words }, `You answered ${id}.`);
  };
  const digits = Object.fromEntries(
    options.slice(0, 9).map((option, index) => [String(index + 1), () => setChosen(option.id)]),
  );
  useKeys(mayAct ? { ...digits, "ctrl+Enter": answer, n: () => setNote((known) => known ?? "") } : {});
  const command = `planwright question answer ${id} ${chosen}`;
  return (
    <>
      {node?.report ? <Evidence node={node} /> : context !== null && context !== "" && <Context text={context} />}
      {blocks.length > 0 && (
        <p className="hint">
          It holds up {blocks.length > 3 ? named(blocks) : blocks.map((each) => <Id key={each} id={each} />)}
        </p>
      )}
      {options.length > 0 && <Options question={question} chosen={chosen} choose={setChosen} />}
      {mayAct && note !== null && (
        <textarea
          className="note"
          aria-label="A note that goes with your answer"
          placeholder={chosen === "" ? "Your answer" : "A note that goes with your answer"}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      )}
      {mayAct && (
        <div className="acts">
          <Button kind="primary" k="Ctrl ↵" onClick={answer} command={command}>
            Answer
          </Button>
          {note === null && (
            <Button k="n" onClick={() => setNote("")}>
              Add a note
            </Button>
          )}
          <span className="grow" />
          <Expiry question={question} />
        </div>
      )}
      {suggestion && (
        <div className="acts suggestion">
          <span className="hint">
            <Prose text={suggestion.sentence} />
          </span>
          <StepButton step={suggestion.next} label="Prove and confirm" />
        </div>
      )}
    </>
  );
}
