// What an approval would allow, whole: every command with its terms, every word of records, and every field of nodes.

import { checkTerms } from "../../../src/model/node/check-terms.js";
import type { ApprovalPreview as Preview } from "../api/types.js";
import { Code, Plain } from "./plain.js";
import { Sign } from "./sign.js";
import { plural } from "./words.js";

type Command = Preview["commands"][number];

function CommandLine({ command }: { readonly command: Command }) {
  const { run, kind, danger, network, credentials, isNew, from } = command;
  const asks = [
    danger,
    ...checkTerms(command),
    network.length > 0 ? `network: ${network.join(", ")}` : null,
    credentials.length > 0 ? `credentials: ${credentials.join(", ")}` : null,
    kind === "check" ? null : KINDS[kind],
    `for ${from.join(", ")}`,
  ].filter((each) => each !== null);
  return (
    <li className={danger === null ? "" : "danger"}>
      <span className="run">
        <Code text={run} />
      </span>
      {isNew && <span className="tag ask">new</span>}
      <small>
        <Code text={asks.join("; ")} />
      </small>
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
            <CommandLine key={JSON.stringify([command.kind, command.run, checkTerms(command)])} command={command} />
          ))}
        </ol>
      )}
    </section>
  );
}

export const PROSE_FIELDS: ReadonlySet<string> = new Set(["title", "body", "because"]);

export function Value({ of: value, isProse }: { readonly of: unknown; readonly isProse: boolean }) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return isProse ? <Plain text={text} /> : <Code text={text} />;
}

type PreviewRecord = Preview["records"][number];

const isSaid = (value: unknown): boolean =>
  value !== null && value !== "" && !(Array.isArray(value) && value.length === 0) && JSON.stringify(value) !== "{}";

/** Every word of a record: it reaches prompts and bundles. */
function RecordWords({ record: { id, kind, title, ...rest } }: { readonly record: PreviewRecord }) {
  const said = Object.entries(rest).filter(([, value]) => isSaid(value));
  return (
    <li>
      <Sign name="planned" size={12} /> Puts {kind} {id} in force: <Plain text={title} />
      <Fields of={said} />
    </li>
  );
}

function Fields({ of: fields }: { readonly of: readonly (readonly [name: string, value: unknown])[] }) {
  return fields.map(([name, value]) => (
    <pre key={name} className="out">
      {name}: <Value of={value} isProse={PROSE_FIELDS.has(name)} />
    </pre>
  ));
}

export function Records({ preview }: { readonly preview: Preview }) {
  const { records, dropped, lostClaims } = preview;
  if (records.length + dropped.length + lostClaims.length === 0) return null;
  return (
    <section>
      <h3>Also</h3>
      <ul className="notes">
        {records.map((record) => (
          <RecordWords key={record.id} record={record} />
        ))}
        {dropped.map(({ id, title }) => (
          <li key={id}>
            Drops {id}: <Plain text={title} />
          </li>
        ))}
        {lostClaims.length > 0 && (
          <li>Takes back claims on {lostClaims.map(({ id, by }) => `${id} (${by})`).join(", ")}</li>
        )}
      </ul>
    </section>
  );
}

type PreviewNode = Preview["nodes"][number];

/** What a worker is told and held to, field by field. */
function NodeWords({ node: { id, tier, kind, title, checks, ...others } }: { readonly node: PreviewNode }) {
  const said = Object.entries(others).filter(([name, value]) => name !== "lastApproval" && isSaid(value));
  const held = checks.map((check, index): [string, unknown] => [
    `check ${index + 1}`,
    [check.run, ...checkTerms(check)].join("; "),
  ]);
  return (
    <li>
      <span className="id">{id}</span> <span className="hint">{kind === null || kind === "work" ? tier : kind}</span>{" "}
      <Plain text={title} />
      <Fields of={[...said, ...held]} />
    </li>
  );
}

export function Nodes({ nodes }: { readonly nodes: Preview["nodes"] }) {
  return (
    <details>
      <summary>{plural(nodes.length, "node")}, whole</summary>
      <ul className="approved">
        {nodes.map((node) => (
          <NodeWords key={node.id} node={node} />
        ))}
      </ul>
    </details>
  );
}

/** What an answer or a record approves, beside the button that says yes to exactly that. */
export function WholeApproval({ preview }: { readonly preview: Preview }) {
  return (
    <>
      {preview.commands.length > 0 && <Commands commands={preview.commands} />}
      <Records preview={preview} />
      {preview.nodes.length > 0 && <Nodes nodes={preview.nodes} />}
    </>
  );
}
