// One node: why it stands where it does with the buttons that settle it, then its tabs.

import { type CSSProperties, useState } from "react";
import { useRead } from "../api/reads.js";
import type { ShownNode, Step } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { Plain } from "../parts/plain.js";
import { Id } from "../parts/prose.js";
import { Line, Sign } from "../parts/sign.js";
import { Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { containersOf } from "../plan/containers.js";
import { pathTo } from "../plan/tree-rows.js";
import type { Plan } from "../plan/use-plan.js";
import { EditForm } from "./edit-form.js";
import { PanelFooter } from "./panel-footer.js";
import { PanelTabs } from "./panel-tabs.js";
import { ResizeHandle, usePanelWidth } from "./resize.js";
import { VerbForm } from "./verb-form.js";
import { WhyBox } from "./why-box.js";

/** The mission is the title of the page, and an initiative is a heading. */
const ABOVE: ReadonlySet<string> = new Set(["mission", "initiative"]);

function Crumbs({ id, plan }: { readonly id: string; readonly plan: Plan }) {
  const path = pathTo(plan.tree, id);
  const shown = path.filter((node) => node.id === id || !ABOVE.has(node.tier)).map((node) => node.id);
  const parent = path.at(-2);
  const at = parent?.children.findIndex((child) => child.id === id) ?? -1;
  return (
    <>
      <nav className="crumb" aria-label="Where it is">
        {(shown.length > 0 ? shown : [id]).map((each, index) => (
          <span key={each}>
            {index > 0 && <i>/</i>}
            {each === id ? <span className="id">{each}</span> : <Id id={each} />}
          </span>
        ))}
      </nav>
      <span className="grow" />
      {parent && at >= 0 && !ABOVE.has(parent.tier) && (
        <span className="hint nowrap">
          {at + 1} of {parent.children.length} in the {parent.tier}
        </span>
      )}
    </>
  );
}

/** What is being filled in: the content of the node, or the words that a verb needs. */
type Filling = "edit" | Step | null;

function Form({
  node,
  plan,
  filling,
  close,
}: ContentProps & { readonly filling: Filling; readonly close: () => void }) {
  if (filling === null) return null;
  if (filling === "edit") return <EditForm node={node} close={close} />;
  return <VerbForm step={filling} places={containersOf(plan.tree)} close={close} />;
}

interface ContentProps {
  readonly node: ShownNode;
  readonly plan: Plan;
}

function Content({ node, plan }: ContentProps) {
  const [filling, setFilling] = useState<Filling>(null);
  const mayAct = useMayAct();
  return (
    <>
      <div className="scroll" tabIndex={-1}>
        <h2>
          <Sign name={node.status} size={18} /> <Plain text={node.title} />
        </h2>
        <WhyBox id={node.id} />
        <Form node={node} plan={plan} filling={filling} close={() => setFilling(null)} />
        <PanelTabs node={node} />
      </div>
      {mayAct && <PanelFooter node={node} fill={setFilling} busy={filling !== null} />}
    </>
  );
}

export function NodePanel({ id, plan }: { readonly id: string; readonly plan: Plan }) {
  const { full } = usePlace();
  const read = useRead("show", { reference: id });
  const { width, setWidth } = usePanelWidth();
  useKeys({ "shift+Enter": () => go({ full: !full }) });
  return (
    <aside
      className={`panel${full ? " full" : ""}`}
      aria-label={`Details of ${id}`}
      style={{ "--panel-width": `${width}px` } as CSSProperties}
    >
      {!full && <ResizeHandle width={width} setWidth={setWidth} />}
      <header>
        <Crumbs id={id} plan={plan} />
        <button
          type="button"
          className="icon wide-only"
          aria-label={full ? "Show it beside the plan" : "Show it on the whole page"}
          aria-pressed={full}
          title="Shift Enter"
          onClick={() => go({ full: !full })}
        >
          <Line name="fit" size={14} />
        </button>
        <button type="button" className="icon" aria-label="Close" onClick={() => go({ item: null, full: false })}>
          <Line name="close" size={14} />
        </button>
      </header>
      <Shown read={read}>
        {(shown) =>
          "tier" in shown ? <Content node={shown} plan={plan} /> : <p className="scroll">{id} is not a node.</p>
        }
      </Shown>
    </aside>
  );
}
