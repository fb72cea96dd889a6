// How a view shows an approval that there was no person to confirm.

import type { ApprovalPreview } from "../../plan/branch/approval-preview.js";
import { previewText } from "./preview-lines.js";
import type { Style } from "./style.js";

export const PREVIEW_REPORT = {
  reports: ["needs-yes"],
  problems: (details: Readonly<Record<string, unknown>>, style: Style): string =>
    [
      previewText(details["preview"] as ApprovalPreview, style),
      "",
      "Nothing was approved. To approve exactly what is shown here, use the command below. With --yes, you approve it without a look, also if it changes before.",
    ].join("\n"),
};
