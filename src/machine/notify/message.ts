// The message that every channel gets, and its wording.

import type { NewsView } from "../../plan/news/read-news.js";

/** Also the JSON that a webhook and a command get. */
export interface Announcement {
  readonly workspace: string;
  readonly news: readonly NewsView[];
}

/** One sentence for people. */
export const sentenceOf = ({ kind, id, title, detail }: NewsView): string =>
  `${id} ${SAYS[kind]}: ${title}${detail === null ? "" : ` (${detail})`}`;

const SAYS: Readonly<Record<NewsView["kind"], string>> = {
  ready: "is ready",
  claimed: "was claimed",
  completed: "is completed",
  rejected: "was rejected",
  "needs-person": "needs a person",
  landed: "has landed",
};
