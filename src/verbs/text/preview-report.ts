// How a view shows an approval that there was no person to confirm.

import type { ApprovalPreview } from "../../plan/node/approval-preview.js";
import type { Style } from "../kit/style.js";
import { previewText } from "./preview-lines.js";

export const PREVIEW_REPORT = {
  reports: ["needs-yes"],
  problems: (details: Readonly<Record<string, unknown>>, style: Style): string =>
    [
      previewText(details["preview"] as ApprovalPreview, style),
      "",
      "Nothing was approved. To approve exactly what is shown here, use the command below. With --yes, you approve it without a look, also if it changes before.",
    ].join("\n"),
};
