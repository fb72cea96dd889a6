// Questions of a run that wait for you, as cards.

import { QuestionCard } from "../cards/question-card.js";
import { CardRow } from "../parts/card-row.js";
import type { Run } from "./types.js";

export function RunQuestions({ run }: { readonly run: Run }) {
  if (run.questions.length === 0) return null;
  return (
    <ul className="list cards run-cards">
      {run.questions.map(({ id, question }) => (
        <li key={id} className="card ask">
          <CardRow
            icon="question"
            headline={question}
            small={
              <small>
                <span className="id">{id}</span>
              </small>
            }
          />
          <div className="body">
            <QuestionCard id={id} />
          </div>
        </li>
      ))}
    </ul>
  );
}
