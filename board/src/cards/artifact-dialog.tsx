// The text of an artifact: a spec, a plan document, a report.

import { useRead } from "../api/reads.js";
import { Dialog } from "../frame/dialog.js";
import { go } from "../frame/route.js";
import { Plain } from "../parts/plain.js";
import { Empty, Shown } from "../parts/states.js";

const close = (): void => go({ artifact: null });

const textOf = (shown: object): string | undefined =>
  "text" in shown && typeof shown.text === "string" ? shown.text : undefined;

const kindOf = (shown: object | undefined): string =>
  shown && "kind" in shown && typeof shown.kind === "string" ? shown.kind.replaceAll("-", " ") : "";

export function ArtifactDialog({ id }: { readonly id: string }) {
  const read = useRead("show", { reference: id });
  return (
    <Dialog
      label={`Artifact ${id}`}
      title={
        <>
          <span className="id">{id}</span> {kindOf(read.data)}
        </>
      }
      close={close}
    >
      <div className="scroll" data-first tabIndex={0} role="region" aria-label="Text">
        <Shown read={read}>
          {(shown) => {
            const text = textOf(shown);
            if (text === undefined || text.trim() === "") return <Empty>{id} has no text.</Empty>;
            return (
              <pre className="out artifact">
                <Plain text={text} />
              </pre>
            );
          }}
        </Shown>
      </div>
    </Dialog>
  );
}
