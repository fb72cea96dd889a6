// Findings by round: who found what, how bad it is, what the author did about it, and the verdict that a table computed.

import { Fragment, type ReactNode, useState } from "react";
import { useRead, useReads } from "../api/reads.js";
import { Plain } from "../parts/plain.js";
import { Prose } from "../parts/prose.js";
import { gradeWords, upperFirst } from "../parts/words.js";
import { type AuthorAnswer, answerTo, latestOf, type Review, readAnswers, readReview } from "./reviews.js";
import type { Run } from "./types.js";

const SOURCES = ["conformance", "critic", "overviewer"] as const;

function summary({ findings }: Review): string {
  if (findings.length === 0) return "none";
  const counts = new Map<string, number>();
  for (const { grade } of findings) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  return [...counts].map(([grade, count]) => gradeWords(count, grade)).join(", ");
}

const ACTIONS: Readonly<Record<string, string>> = {
  fixed: "The author fixed it",
  declined: "The author declined it",
  "needs-decision": "The author leaves it to you",
};

const Grade = ({ grade }: { readonly grade: string }) => (
  <span className={`tag${/high|error|critical|blocker/.test(grade) ? " stop-tag" : ""}`}>{grade}</span>
);

function AnswerOf({ answer }: { readonly answer: AuthorAnswer | undefined }) {
  if (!answer) return null;
  return (
    <p className="hint">
      {ACTIONS[answer.action] ?? answer.action}
      {answer.note !== "" && ": "}
      <Plain text={answer.note} />
    </p>
  );
}

function Details({ review, answers }: { readonly review: Review; readonly answers: readonly AuthorAnswer[] }) {
  return (
    <ul className="finding-list">
      {review.findings.map(({ id, grade, message, where, suggestion }, index) => {
        return (
          <li key={`${id} ${index}`}>
            <Grade grade={grade} />{" "}
            <span className="id">
              <Plain text={id} />
            </span>
            <p>
              <Prose text={message} />
            </p>
            {[where, suggestion].map(
              (text) =>
                text !== "" && (
                  <p key={text} className="hint">
                    <Plain text={text} />
                  </p>
                ),
            )}
            <AnswerOf answer={answerTo(review, id, answers)} />
          </li>
        );
      })}
    </ul>
  );
}

interface RoundRow {
  readonly round: number;
  readonly reviews: readonly Review[];
}

/** Reviewers count their own rounds; those with the same number belong together. */
function roundsOf(reviews: readonly Review[]): RoundRow[] {
  const rounds = new Map<number, Review[]>();
  for (const review of reviews) rounds.set(review.round, [...(rounds.get(review.round) ?? []), review]);
  return [...rounds].sort(([a], [b]) => a - b).map(([round, all]) => ({ round, reviews: all }));
}

function Cell({
  review,
  open,
  toggle,
}: {
  readonly review: Review | undefined;
  readonly open: boolean;
  readonly toggle: () => void;
}) {
  if (!review) return <td className="soft">not asked</td>;
  return (
    <td>
      <button
        type="button"
        className="linkish"
        aria-expanded={open}
        disabled={review.findings.length === 0}
        onClick={toggle}
      >
        {summary(review)}
      </button>
    </td>
  );
}

function Rounds({
  reviews,
  answers,
}: {
  readonly reviews: readonly Review[];
  readonly answers: readonly AuthorAnswer[];
}) {
  const [open, setOpen] = useState<Review | null>(null);
  return (
    <table className="rounds">
      <caption className="sr">Findings by round</caption>
      <thead>
        <tr>
          {["round", ...SOURCES, "verdict"].map((name) => (
            <th key={name} scope="col">
              {upperFirst(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {roundsOf(reviews).map(({ round, reviews: all }) => (
          <Fragment key={round}>
            <tr>
              <td>{round === 0 ? "first" : `revision ${round}`}</td>
              {SOURCES.map((source) => {
                const review = all.find((each) => each.source === source);
                return (
                  <Cell
                    key={source}
                    review={review}
                    open={review !== undefined && review === open}
                    toggle={() => setOpen(review === open ? null : (review ?? null))}
                  />
                );
              })}
              <td>
                <b>{all.findLast(({ verdict }) => verdict !== "")?.verdict.replaceAll("-", " ")}</b>
              </td>
            </tr>
            {open && all.includes(open) && (
              <tr>
                <td colSpan={SOURCES.length + 2}>
                  <Details review={open} answers={answers} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

const textOf = (shown: unknown): string =>
  typeof shown === "object" && shown !== null && "text" in shown && typeof shown.text === "string" ? shown.text : "";

interface RunReviews {
  readonly reviews: readonly Review[];
  readonly answers: readonly AuthorAnswer[];
}

function useReviews(run: string): RunReviews {
  const artifacts = useRead("artifact.list", { run }).data ?? [];
  const kept = artifacts.filter(({ kind }) => kind === "findings" || kind === "responses");
  const texts = useReads(
    "show",
    kept.map(({ id }) => ({ reference: id })),
  );
  const of = (kind: string): string[] => texts.filter((_, index) => kept[index]?.kind === kind).map(textOf);
  return { reviews: of("findings").flatMap(readReview), answers: of("responses").flatMap(readAnswers) };
}

export function Findings({ run }: { readonly run: Run }) {
  const { reviews, answers } = useReviews(run.id);
  return reviews.length === 0 ? null : <Rounds reviews={reviews} answers={answers} />;
}

/** What each reviewer found last, whole: what you decide about when a run asks. */
export function OpenFindings({ run, otherwise }: { readonly run: string; readonly otherwise: ReactNode }) {
  const { reviews, answers } = useReviews(run);
  const latest = latestOf(reviews).filter(({ findings, questions }) => findings.length + questions.length > 0);
  if (latest.length === 0) return otherwise;
  return (
    <div className="evidence">
      <table className="open-findings">
        <caption className="sr">Open findings</caption>
        <thead>
          <tr>
            <th scope="col">Found by</th>
            <th scope="col">Finding</th>
          </tr>
        </thead>
        <tbody>
          {latest.map((review) => (
            <tr key={review.source}>
              <th scope="row">{review.source}</th>
              <td>
                <Details review={review} answers={answers} />
                {review.questions.map((question) => (
                  <p key={question}>
                    Asks: <Prose text={question} />
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
