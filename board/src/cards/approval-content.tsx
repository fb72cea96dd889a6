// What an approval would allow, in the order in which it matters: commands first, verbatim.

import { useRead } from "../api/reads.js";
import type { ApprovalPreview as Preview } from "../api/types.js";
import { Plain } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { gradeWords, plural, upperFirst } from "../parts/words.js";

const BEGINS: Readonly<Record<string, string>> = {
  off: "At level off the daemon begins nothing; you start it.",
  on: "At level on the daemon begins with what is ready.",
  auto: "At level auto the daemon begins, and lands what is green.",
};

type Command = Preview["commands"][number];

function CommandLine({ command }: { readonly command: Command }) {
  const { run, cwd, kind, danger, network, credentials, isNew } = command;
  const asks = [
    danger,
    network.length > 0 ? `network: ${network.join(", ")}` : null,
    credentials.length > 0 ? `credentials: ${credentials.join(", ")}` : null,
    cwd === "" ? null : `in ${cwd}`,
    kind === "check" ? null : KINDS[kind],
  ].filter((each) => each !== null);
  return (
    <li className={danger === null ? "" : "danger"}>
      <span className="run">
        <Plain text={run} />
      </span>
      {isNew && <span className="tag ask">new</span>}
      {asks.length > 0 && <small>{asks.join("; ")}</small>}
    </li>
  );
}

const KINDS: Readonly<Record<Exclude<Command["kind"], "check">, string>> = {
  work: "the work itself",
  measure: "measures a requirement",
  setup: "sets up every worktree",
};

/** What needs most care comes first: dangerous, then what never ran here. */
const care = ({ danger, isNew }: Command): number => (danger === null ? 0 : 2) + (isNew ? 1 : 0);

export function Commands({ commands }: { readonly commands: readonly Command[] }) {
  const sorted = [...commands].sort((a, b) => care(b) - care(a));
  const warned = commands.filter(({ danger }) => danger !== null).length;
  const fresh = commands.filter(({ isNew }) => isNew).length;
  const newWords = fresh === commands.length ? "all new here" : `${fresh} new here`;
  const words = [
    String(commands.length),
    ...(fresh > 0 ? [newWords] : []),
    ...(warned > 0 ? [`${warned} to look at twice`] : []),
  ];
  return (
    <section>
      <h3>
        Commands that will run{" "}
        <span className="hint">
          {commands.length === 0 ? "none" : `${words.join(", ")}; on this machine, with your rights`}
        </span>
      </h3>
      {commands.length > 0 && (
        <ol className="out commands" tabIndex={0} aria-label="Commands">
          {sorted.map((command) => (
            <CommandLine key={`${command.kind} ${command.cwd} ${command.run}`} command={command} />
          ))}
        </ol>
      )}
    </section>
  );
}

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
        {typeof sandbox === "string" ? sandbox : "auto"}. Network: {network === "deny" ? "denied" : "allowed"}.
        {environment.length > 0 && ` It sees your variables ${environment.join(", ")}.`}
      </p>
    </section>
  );
}

const shownValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

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
              - {id} {field}: <Plain text={shownValue(before)} />
            </i>,
            <i key={`${field}+`} className="add">
              + {id} {field}: <Plain text={shownValue(after)} />
            </i>,
          ])}
        </pre>
      ))}
    </section>
  );
}

const FILES_SHOWN = 40;

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
          {files.slice(0, FILES_SHOWN).map((file) => (
            <code key={file}>
              <Plain text={file} />
            </code>
          ))}
          {files.length > FILES_SHOWN && <span className="hint">and {files.length - FILES_SHOWN} more</span>}
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

function Records({ preview }: { readonly preview: Preview }) {
  const { records, dropped, lostClaims } = preview;
  if (records.length + dropped.length + lostClaims.length === 0) return null;
  return (
    <section>
      <h3>Also</h3>
      <ul className="notes">
        {records.map((record) => (
          <li key={record.id}>
            <Sign name="planned" size={12} /> Puts {record.id} in force: <Plain text={record.title} />
          </li>
        ))}
        {dropped.length > 0 && <li>Drops {dropped.map(({ id }) => id).join(", ")}</li>}
        {lostClaims.length > 0 && (
          <li>Takes back claims on {lostClaims.map(({ id, by }) => `${id} (${by})`).join(", ")}</li>
        )}
      </ul>
    </section>
  );
}

function Nodes({ nodes }: { readonly nodes: Preview["nodes"] }) {
  return (
    <details>
      <summary>{plural(nodes.length, "node")}, whole</summary>
      <ul className="approved">
        {nodes.map(({ id, tier, title, body }) => (
          <li key={id}>
            <span className="id">{id}</span> <span className="hint">{tier}</span> <Plain text={title} />
            {body.trim() !== "" && (
              <pre className="out">
                <Plain text={body.trim()} />
              </pre>
            )}
          </li>
        ))}
      </ul>
    </details>
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
