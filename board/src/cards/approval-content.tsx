// What an approval would allow, in the order in which it matters: commands first, verbatim.

import { useRead } from "../api/reads.js";
import type { ApprovalPreview as Preview } from "../api/types.js";
import { Commands, Nodes, PROSE_FIELDS, Records, Value } from "../parts/approval-whole.js";
import { Code, Plain } from "../parts/plain.js";
import { Sign } from "../parts/sign.js";
import { gradeWords, plural, upperFirst } from "../parts/words.js";

const BEGINS: Readonly<Record<string, string>> = {
  off: "At level off the daemon begins nothing; you start it.",
  on: "At level on the daemon begins with what is ready.",
  auto: "At level auto the daemon begins, and lands what is green.",
};

/** Besides these commands a worker runs what its agent allows, within what the settings say. */
function Workers({ nodes, environment }: Preview) {
  const sandbox = useRead("config.get", { key: "execution.sandbox" }).data?.value;
  const network = useRead("config.get", { key: "execution.network" }).data?.value;
  const profiles = new Set(
    nodes.flatMap(({ tier, kind, profile }) => (tier === "task" && kind === "work" ? [profile ?? "worker"] : [])),
  );
  if (profiles.size === 0) return null;
  return (
    <section>
      <h3>
        What workers may run <span className="hint">{[...profiles].join(", ")}</span>
      </h3>
      <p>
        Each works in a worktree of its own and runs what its agent allows there. Sandbox:{" "}
        {typeof sandbox === "string" ? sandbox : "auto"}. Network: {typeof network === "string" ? network : "all"}.
        {environment.length > 0 && (
          <>
            {" "}
            It sees your variables <Code text={environment.join(", ")} />.
          </>
        )}
      </p>
    </section>
  );
}

function Changes({ nodes }: { readonly nodes: Preview["nodes"] }) {
  const changed = nodes.filter(({ lastApproval }) => (lastApproval?.changes.length ?? 0) > 0);
  if (changed.length === 0) return null;
  return (
    <section>
      <h3>
        Since the last approval <span className="hint">{plural(changed.length, "node")} changed</span>
      </h3>
      {changed.map(({ id, lastApproval }) => (
        <pre key={id} className="diff framed">
          {lastApproval?.changes.flatMap(({ field, before, after }) => [
            <i key={`${field}-`} className="del">
              - {id} {field}: <Value of={before} isProse={PROSE_FIELDS.has(field)} />
            </i>,
            <i key={`${field}+`} className="add">
              + {id} {field}: <Value of={after} isProse={PROSE_FIELDS.has(field)} />
            </i>,
          ])}
        </pre>
      ))}
    </section>
  );
}

function Files({ preview }: { readonly preview: Preview }) {
  const { files, anyFile } = preview;
  const records = useRead("record.list", { kind: "constraint" }).data ?? [];
  const inForce = records.filter(({ state }) => state === "active");
  const held =
    inForce.length === 0 ? "no constraint is in force" : `held against ${plural(inForce.length, "constraint")}`;
  return (
    <section>
      <h3>
        Files{" "}
        <span className="hint">
          {files.length === 0 ? "none named" : files.length}
          {anyFile.length > 0 && `; ${plural(anyFile.length, "task")} may change any file`}; {held}
        </span>
      </h3>
      {files.length > 0 && (
        <p className="files">
          {files.map((file) => (
            <code key={file}>
              <Code text={file} />
            </code>
          ))}
        </p>
      )}
      {inForce.length > 0 && (
        <ul className="notes">
          {inForce.slice(0, 5).map(({ id, title }) => (
            <li key={id}>
              <span className="id">{id}</span> <Plain text={title} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Lines of the spec without a task, what the reviewers still say, and what is left out. */
function Notes({ run }: { readonly run: string }) {
  const shown = useRead("plan.show", { run }).data;
  if (!shown) return null;
  const gaps = (shown.coverage?.unclear ?? []).map(({ line, text }) => `Line ${line} has no task: ${text}`);
  const found = Object.entries(shown.findings).flatMap(([by, grades]) =>
    Object.entries(grades).map(([grade, count]) => `${upperFirst(by)}: ${gradeWords(count, grade)}`),
  );
  const left = (shown.coverage?.reasons ?? []).map(
    ({ reason, statements }) => `${plural(statements, "statement")} left out: ${reason}`,
  );
  const notes = [...found, ...left, ...shown.headline];
  return (
    <section>
      <h3>
        Open notes <span className="hint">{gaps.length + notes.length}</span>
      </h3>
      <ul className="notes">
        {gaps.map((note) => (
          <li key={note}>
            <Sign name="ask" size={12} /> <Plain text={note} />
          </li>
        ))}
        {notes.map((note) => (
          <li key={note}>
            <Sign name="planned" size={12} /> <Plain text={note} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ContentProps {
  readonly preview: Preview;
  readonly level: string | undefined;
  readonly isRun: boolean;
  readonly reference: string;
}

function Whole({ preview, isRun, reference }: ContentProps) {
  return (
    <>
      <Commands commands={preview.commands} />
      <Workers {...preview} />
      <Files preview={preview} />
      <Changes nodes={preview.nodes} />
      <Records preview={preview} />
      {isRun && <Notes run={reference} />}
      <Nodes nodes={preview.nodes} />
    </>
  );
}

/** Everything in it was approved before: what changed since is what you decide about. */
const isAgain = ({ nodes }: Preview): boolean =>
  nodes.length > 0 && nodes.every(({ lastApproval }) => lastApproval !== null);

export function ApprovalContent(props: ContentProps) {
  const { preview, level, isRun } = props;
  const count = plural(preview.nodes.length, "node");
  const free = preview.nodes.filter(({ kind, dependsOn }) => kind === "work" && dependsOn.length === 0).length;
  return (
    <>
      <p>
        {isRun ? `This adds ${count} to the plan and clears them to run.` : `This clears ${count} to run.`}{" "}
        {level !== undefined && BEGINS[level]}
        {free > 0 && ` ${plural(free, "task")} ${free === 1 ? "waits" : "wait"} for nothing else.`}
      </p>
      {isAgain(preview) ? (
        <>
          <Changes nodes={preview.nodes} />
          <details>
            <summary>Everything that this approves</summary>
            <Whole {...props} />
          </details>
        </>
      ) : (
        <Whole {...props} />
      )}
    </>
  );
}
