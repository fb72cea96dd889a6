// Findings by round: who found what, how bad it is, and the verdict that a table computed from them.

import { useState } from "react";
import { useRead, useReads } from "../api/reads.js";
import { Plain, Prose } from "../parts/prose.js";
import { upperFirst } from "../parts/words.js";
import { type Review, readReview } from "./reviews.js";
import type { Run } from "./types.js";

function summary({ findings }: Review): string {
  if (findings.length === 0) return "none";
  const counts = new Map<string, number>();
  for (const { grade } of findings) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  return [...counts].map(([grade, count]) => `${count} ${grade}`).join(", ");
}

function Details({ review }: { readonly review: Review }) {
  return (
    <ul className="finding-list">
      {review.findings.map(({ id, grade, message, where, suggestion }, index) => (
        <li key={`${id} ${index}`}>
          <span className={`tag${/high|error|critical|blocker/.test(grade) ? " stop-tag" : ""}`}>{grade}</span>{" "}
          <span className="id">
            <Plain text={id} />
          </span>
          <p>
            <Prose text={message} />
          </p>
          {where !== "" && (
            <p className="hint">
              <Plain text={where} />
            </p>
          )}
          {suggestion !== "" && (
            <p className="hint">
              <Plain text={suggestion} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Rounds({ reviews }: { readonly reviews: readonly Review[] }) {
  const [open, setOpen] = useState<number | null>(null);
  return (
    <table className="rounds">
      <caption className="sr">Findings by round</caption>
      <thead>
        <tr>
          <th scope="col">Round</th>
          <th scope="col">Reviewer</th>
          <th scope="col">Findings</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {reviews.flatMap((review, index) => [
          <tr key={index}>
            <td>{review.round === 0 ? "first" : `revision ${review.round}`}</td>
            <td>{upperFirst(review.source)}</td>
            <td>
              <button
                type="button"
                className="linkish"
                aria-expanded={open === index}
                disabled={review.findings.length === 0}
                onClick={() => setOpen(open === index ? null : index)}
              >
                {summary(review)}
              </button>
            </td>
            <td>{review.verdict.replaceAll("-", " ")}</td>
          </tr>,
          open === index && (
            <tr key={`${index} details`}>
              <td colSpan={4}>
                <Details review={review} />
              </td>
            </tr>
          ),
        ])}
      </tbody>
    </table>
  );
}

export function Findings({ run }: { readonly run: Run }) {
  const artifacts = useRead("artifact.list", {}).data ?? [];
  const keys = artifacts
    .filter((artifact) => artifact.run === run.id && artifact.kind === "findings")
    .map(({ id }) => id);
  const texts = useReads(
    "show",
    keys.map((reference) => ({ reference })),
  );
  const reviews = texts.flatMap((shown) => {
    const text = shown && "text" in shown && typeof shown.text === "string" ? shown.text : undefined;
    return text === undefined ? [] : readReview(text);
  });
  if (reviews.length === 0) return null;
  return <Rounds reviews={reviews} />;
}
