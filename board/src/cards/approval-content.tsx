// What an approval would allow, in the order in which it matters: commands first, verbatim.

import { useRead } from "../api/reads.js";
import type { ApprovalPreview as Preview } from "../api/types.js";
import { Plain } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { plural } from "../parts/words.js";

const BEGINS: Readonly<Record<string, string>> = {
  off: "At level off the daemon begins nothing; you start it.",
  on: "At level on the daemon begins with what is ready.",
  auto: "At level auto the daemon begins, and lands what is green.",
};

type Command = Preview["commands"][number];

function CommandLine({ command }: { readonly command: Command }) {
  const { run, cwd, kind, danger, network, credentials } = command;
  const asks = [
    danger,
    network.length > 0 ? `network: ${network.join(", ")}` : null,
    credentials.length > 0 ? `credentials: ${credentials.join(", ")}` : null,
    cwd === "" ? null : `in ${cwd}`,
    kind === "check" ? null : kind,
  ].filter((each) => each !== null);
  return (
    <li className={danger === null ? "" : "danger"}>
      <Plain text={run} />
      {asks.length > 0 && <small>{asks.join("; ")}</small>}
    </li>
  );
}

function Commands({ commands }: { readonly commands: readonly Command[] }) {
  const sorted = [...commands].sort((a, b) => Number(b.danger !== null) - Number(a.danger !== null));
  const warned = commands.filter(({ danger }) => danger !== null).length;
  return (
    <section>
      <h3>
        Commands that will run{" "}
        <span className="hint">
          {commands.length === 0
            ? "none"
            : `${commands.length}${warned > 0 ? `, ${warned} to look at twice` : ""}; on this machine, with your rights`}
        </span>
      </h3>
      {commands.length > 0 && (
        <ol className="out commands">
          {sorted.map((command, index) => (
            <CommandLine key={index} command={command} />
          ))}
        </ol>
      )}
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

function Files({ preview }: { readonly preview: Preview }) {
  const { files, anyFile } = preview;
  return (
    <section>
      <h3>
        Files{" "}
        <span className="hint">
          {files.length === 0 ? "none named" : files.length}
          {anyFile.length > 0 && `; ${plural(anyFile.length, "task")} may change any file`}
        </span>
      </h3>
      <p className="files">
        {files.slice(0, 40).map((file) => (
          <code key={file}>
            <Plain text={file} />
          </code>
        ))}
      </p>
    </section>
  );
}

/** Notes of the reviewers, and lines of the spec without a task. */
function Notes({ run }: { readonly run: string }) {
  const shown = useRead("plan.show", { run }).data;
  if (!shown) return null;
  const notes = [
    ...shown.headline,
    ...(shown.coverage?.reasons ?? []).map(
      ({ reason, statements }) => `${plural(statements, "statement")} left out: ${reason}`,
    ),
  ];
  return (
    <section>
      <h3>
        Notes <span className="hint">{notes.length}</span>
      </h3>
      <ul className="notes">
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
  const { records, dropped, lostClaims, environment } = preview;
  if (records.length + dropped.length + lostClaims.length + environment.length === 0) return null;
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
        {environment.length > 0 && <li>Workers see the variables {environment.join(", ")}</li>}
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

export function ApprovalContent({
  preview,
  level,
  isRun,
  reference,
}: {
  readonly preview: Preview;
  readonly level: string | undefined;
  readonly isRun: boolean;
  readonly reference: string;
}) {
  const count = plural(preview.nodes.length, "node");
  return (
    <>
      <p>
        {isRun ? `This adds ${count} to the plan and clears them to run.` : `This clears ${count} to run.`}{" "}
        {level !== undefined && BEGINS[level]}
      </p>
      <Commands commands={preview.commands} />
      <Files preview={preview} />
      <Changes nodes={preview.nodes} />
      <Records preview={preview} />
      {isRun && <Notes run={reference} />}
      <Nodes nodes={preview.nodes} />
    </>
  );
}
