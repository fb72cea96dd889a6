// What a refusal shows before it asks for a yes: the preview of an approval.

import type { ApiFailure, ApprovalPreview } from "../api/types.js";

export function approvalIn({ reason, details }: ApiFailure): ApprovalPreview | undefined {
  const preview = details?.["preview"];
  return reason === "needs-yes" && typeof preview === "object" && preview !== null
    ? (preview as ApprovalPreview)
    : undefined;
}
