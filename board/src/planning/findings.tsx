// Findings by round: who found what, how bad it is, what the author did about it, and the verdict that a table computed.

import { Fragment, type ReactNode, useState } from "react";
import { useRead, useReads } from "../api/reads.js";
import { Plain } from "../parts/plain.js";
import { Prose } from "../parts/prose.js";
import { gradeWords, upperFirst } from "../parts/words.js";
import {
  type AuthorAnswer,
  answerTo,
  type Finding,
  latestOf,
  type Review,
  readAnswers,
  readReview,
} from "./reviews.js";
import type { Run } from "./types.js";

const SOURCES = ["conformance", "critic", "overviewer"] as const;

function summary({ findings }: Review): string {
  if (findings.length === 0) return "none";
  const counts = new Map<string, number>();
  for (const { grade } of findings) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  return [...counts].map(([grade, count]) => gradeWords(count, grade)).join(", ");
}

const ACTIONS: Readonly<Record<string, string>> = {
  fixed: "the author fixed it",
  declined: "the author declined it",
  "needs-decision": "the author leaves it to you",
};

const Grade = ({ grade }: { readonly grade: string }) => (
  <span className={`tag${/high|error|critical|blocker/.test(grade) ? " stop-tag" : ""}`}>{grade}</span>
);

/** All that was found, one row for each finding, with nothing left out: it is what you decide about. */
function FindingsTable({
  label,
  reviews,
  answers,
}: {
  readonly label: string;
  readonly reviews: readonly Review[];
  readonly answers: readonly AuthorAnswer[];
}) {
  return (
    <table className="open-findings">
      <caption className="sr">{label}</caption>
      <thead>
        <tr>
          {["Found by", "Finding"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {reviews.map((review) => (
          <Fragment key={review.source}>
            {review.findings.map((finding, index) => (
              <tr key={`${finding.id} ${index}`}>
                <th scope="row">
                  {review.source}{" "}
                  <span className="id">
                    <Plain text={finding.id} />
                  </span>{" "}
                  <Grade grade={finding.grade} />
                </th>
                <td>
                  <Whole finding={finding} />
                  <AnswerOf answer={answerTo(review, finding.id, answers)} round={review.round} />
                </td>
              </tr>
            ))}
            {review.questions.map((question) => (
              <tr key={question}>
                <th scope="row">{review.source} asks</th>
                <td>
                  <Prose text={question} />
                </td>
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Whole({ finding: { title, description, suggestion, about, evidence } }: { readonly finding: Finding }) {
  const more = [description, suggestion].filter((text) => text !== "");
  const places = [about, ...evidence].filter((text) => text !== "");
  return (
    <>
      <b>
        <Prose text={title} />
      </b>
      {more.map((text) => (
        <p key={text}>
          <Prose text={text} />
        </p>
      ))}
      {places.map((text) => (
        <p key={text} className="hint">
          <Plain text={text} />
        </p>
      ))}
    </>
  );
}

function AnswerOf({ answer, round }: { readonly answer: AuthorAnswer | undefined; readonly round: number }) {
  if (!answer) return null;
  return (
    <p className="answered">
      {upperFirst(
        `${answer.round < round ? "when it was found before, " : ""}${ACTIONS[answer.action] ?? answer.action}`,
      )}
      {answer.note !== "" && ": "}
      <Plain text={answer.note} />
    </p>
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
                  <FindingsTable label={`Findings of the ${open.source}`} reviews={[open]} answers={answers} />
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
      <FindingsTable label="Open findings" reviews={latest} answers={answers} />
    </div>
  );
}
