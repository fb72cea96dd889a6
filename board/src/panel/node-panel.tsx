// One node: why it stands where it does with the buttons that settle it, then its tabs.

import { lazy, Suspense, useState } from "react";
import { undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import type { ShownNode } from "../api/types.js";
import { TABS } from "../frame/address.js";
import { useKeys } from "../frame/keys.js";
import { go, linkTo, usePlace } from "../frame/route.js";
import { Button } from "../parts/button.js";
import { Id, Plain } from "../parts/prose.js";
import { Line, Sign } from "../parts/sign.js";
import { Loading, Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { upperFirst } from "../parts/words.js";
import { pathTo } from "../plan/tree-rows.js";
import type { Plan } from "../plan/use-plan.js";
import { AttemptsTab } from "./attempts-tab.js";
import { ChecksTab } from "./checks-tab.js";
import { EditForm } from "./edit-form.js";
import { HistoryTab } from "./history-tab.js";
import { Overview } from "./overview.js";
import { VerbForm } from "./verb-form.js";
import { WhyBox } from "./why-box.js";

const DiffTab = lazy(() => import("../diff/diff-tab.js"));

function Crumbs({ id, plan }: { readonly id: string; readonly plan: Plan }) {
  const path = pathTo(plan.tree, id).filter(({ tier }) => tier !== "mission");
  const shown = path.length > 0 ? path.map((node) => node.id) : [id];
  return (
    <nav className="crumb" aria-label="Where it is">
      {shown.map((each, index) => (
        <span key={each}>
          {index > 0 && <i>/</i>}
          {each === id ? <span className="id">{each}</span> : <Id id={each} />}
        </span>
      ))}
    </nav>
  );
}

function TabLinks({ node }: { readonly node: ShownNode }) {
  const { tab, item } = usePlace();
  const checks = node.report?.checks ?? [];
  const counts: Partial<Record<string, string>> = {
    checks: node.checks.length === 0 ? "" : `${checks.filter(({ passed }) => passed).length}/${node.checks.length}`,
    attempts: node.attempts > 0 ? String(node.attempts) : "",
  };
  const isTask = node.tier === "task";
  return (
    <nav className="tabs" aria-label="About this node">
      {TABS.filter((each) => isTask || each === "overview" || each === "history").map((each) => (
        <a key={each} aria-current={each === tab ? "page" : undefined} {...linkTo({ item, tab: each })}>
          {upperFirst(each)} {counts[each] !== undefined && <span className="count">{counts[each]}</span>}
        </a>
      ))}
    </nav>
  );
}

function TabBody({ node }: { readonly node: ShownNode }) {
  const { tab } = usePlace();
  if (tab === "checks") return <ChecksTab node={node} />;
  if (tab === "attempts") return <AttemptsTab task={node.id} />;
  if (tab === "history") return <HistoryTab id={node.id} />;
  if (tab === "diff") {
    return (
      <Suspense fallback={<Loading rows={3} />}>
        <DiffTab task={node.id} files={node.files} />
      </Suspense>
    );
  }
  return <Overview node={node} />;
}

type Verb = "edit" | "freeze" | "drop" | null;

function Footer({
  node,
  open,
  verb,
}: {
  readonly node: ShownNode;
  readonly open: (verb: Verb) => void;
  readonly verb: Verb;
}) {
  const isOver = node.outcome !== null;
  const keys = {
    e: () => open("edit"),
    ...(!isOver && node.freeze === null && { f: () => open("freeze") }),
    u: () => undo(node.id),
    a: () => go({ approve: node.id }),
  };
  useKeys(verb === null ? keys : {});
  return (
    <footer>
      <Button kind="quiet" k="e" onClick={() => open("edit")}>
        Edit
      </Button>
      {!isOver && node.freeze === null && (
        <Button kind="quiet" k="f" onClick={() => open("freeze")} command={`planwright freeze ${node.id}`}>
          Freeze …
        </Button>
      )}
      {!isOver && (
        <Button kind="quiet" onClick={() => open("drop")}>
          Drop …
        </Button>
      )}
      <span className="grow" />
      <Button kind="quiet" k="u" onClick={() => undo(node.id)} command={`planwright undo ${node.id}`}>
        Undo
      </Button>
    </footer>
  );
}

function Content({ node }: { readonly node: ShownNode }) {
  const [verb, setVerb] = useState<Verb>(null);
  const mayAct = useMayAct();
  return (
    <>
      <div className="scroll" tabIndex={-1}>
        <h2>
          <Sign name={node.status} size={18} /> <Plain text={node.title} />
        </h2>
        <WhyBox id={node.id} />
        {verb === "edit" && <EditForm node={node} close={() => setVerb(null)} />}
        {(verb === "freeze" || verb === "drop") && <VerbForm verb={verb} id={node.id} close={() => setVerb(null)} />}
        <TabLinks node={node} />
        <TabBody node={node} />
      </div>
      {mayAct && <Footer node={node} open={setVerb} verb={verb} />}
    </>
  );
}

export function NodePanel({ id, plan }: { readonly id: string; readonly plan: Plan }) {
  const read = useRead("show", { reference: id });
  return (
    <aside className="panel" aria-label={`Details of ${id}`}>
      <header>
        <Crumbs id={id} plan={plan} />
        <span className="grow" />
        <button type="button" className="icon" aria-label="Close" onClick={() => go({ item: null })}>
          <Line name="close" size={14} />
        </button>
      </header>
      <Shown read={read}>
        {(shown) => ("tier" in shown ? <Content node={shown} /> : <p className="scroll">{id} is not a node.</p>)}
      </Shown>
    </aside>
  );
}
