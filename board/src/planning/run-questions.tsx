// Questions of a run that wait for you, as cards.

import { QuestionCard } from "../cards/question-card.js";
import { Prose } from "../parts/prose.js";
import { Line } from "../parts/sign.js";
import type { Run } from "./types.js";

export function RunQuestions({ run }: { readonly run: Run }) {
  if (run.questions.length === 0) return null;
  return (
    <ul className="list cards run-cards">
      {run.questions.map(({ id, question }) => (
        <li key={id} className="card ask">
          <div className="row">
            <span className="kind">
              <Line name="question" />
            </span>
            <div className="what">
              <b>
                <Prose text={question} plainIds />
              </b>
              <small>
                <span className="id">{id}</span>
              </small>
            </div>
          </div>
          <div className="body">
            <QuestionCard id={id} />
          </div>
        </li>
      ))}
    </ul>
  );
}
