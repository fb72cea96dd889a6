// Nobody approves what they were not shown. An approval shows its preview and asks; without anybody to ask, it hands the preview
// back and wants its hash, or a plain yes.

import { loadExecutionSettings } from "../../config/execution-settings.js";
import type { Environment } from "../../machine/process/environment.js";
import type { NextStep } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import {
  type ApprovalPreview,
  isEmptyPreview,
  type PreviewSettings,
  type SeenPreview,
} from "../../plan/node/approval-preview.js";
import type { Session } from "../kit/session.js";

export interface Consent {
  readonly yes?: boolean | undefined;
  readonly seen?: string | undefined;
}

export interface ApprovalRequest {
  readonly consent: Consent;
  readonly preview: (settings: PreviewSettings) => Promise<Result<ApprovalPreview>>;
  /** Whether this needs a yes; everything does that changes anything, unless given. */
  readonly needsYes?: (preview: ApprovalPreview) => boolean;
  readonly question: string;
  readonly withSeen: (hash: string) => NextStep;
}

/** What was shown, if anything was; a refusal unless a person confirmed it. */
export async function confirmApproval(
  session: Pick<Session, "root" | "env" | "confirm">,
  { consent, preview, question, withSeen, needsYes = (shown) => !isEmptyPreview(shown) }: ApprovalRequest,
): Promise<Result<SeenPreview | undefined>> {
  const settings = previewSettings(session.root, session.env);
  if (consent.seen !== undefined) return ok({ hash: consent.seen, settings });
  if (consent.yes === true) return ok(undefined);
  const shown = await preview(settings);
  if (!shown.ok) return shown;
  if (!needsYes(shown.value)) return ok(undefined);
  const { hash } = shown.value;
  if (session.confirm === undefined) {
    const message = "This approves what the preview shows, and that needs confirmation.";
    return refused("needs-yes", message, { details: { preview: shown.value }, next: [withSeen(hash)] });
  }
  if (await session.confirm(`${losses(shown.value)}${question}`, shown.value)) return ok({ hash, settings });
  return refused("declined", "Nothing was approved.");
}

/** The question itself names what is given up, so that you cannot miss it. */
const losses = ({ dropped, lostClaims }: ApprovalPreview): string =>
  [
    ...(dropped.length === 0 ? [] : [`This drops ${dropped.map(({ id }) => id).join(", ")}. `]),
    ...lostClaims.map(({ id, by }) => `${by} loses the claim on ${id}. `),
  ].join("");

export function previewSettings(root: string, env: Environment): PreviewSettings {
  const { setup, env: named } = loadExecutionSettings(root, env);
  return { setup, env: named };
}
