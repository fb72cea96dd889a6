// Text of a plan: hidden characters are shown, ids are links, and code and emphasis of Markdown are shown as such. Nothing becomes HTML.

import { Fragment, type ReactNode } from "react";
import { placeOfId } from "../frame/address.js";
import { linkTo, usePlace } from "../frame/route.js";
import { Code, Plain } from "./plain.js";

export function Id({ id }: { readonly id: string }) {
  const place = usePlace();
  return (
    <a className="id" {...linkTo(placeOfId(id, place))}>
      <Plain text={id} />
    </a>
  );
}

const MARKS =
  /`([^`\n]+)`|\b((?:TASK|STORY|FEAT|INIT|ESC|ATT|RUN|ART)-\d+(?:-LAND)?|MISSION|INBOX|BUGS)\b|\*\*([^*\n]+)\*\*|(?<![\w/])_([^_\n]+)_(?![\w/])/g;

export function Prose({ text, plainIds = false }: { readonly text: string; readonly plainIds?: boolean }) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, code, id, strong, soft] = match;
    if (match.index > from) parts.push(<Plain text={text.slice(from, match.index)} />);
    if (code !== undefined) {
      parts.push(
        <code>
          <Code text={code} />
        </code>,
      );
    } else if (id !== undefined) parts.push(plainIds ? <span className="id">{id}</span> : <Id id={id} />);
    else parts.push(strong === undefined ? <em>{<Plain text={soft ?? ""} />}</em> : <b>{<Plain text={strong} />}</b>);
    from = match.index + whole.length;
  }
  if (from < text.length) parts.push(<Plain text={text.slice(from)} />);
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);
}

/** Output of a program: the lines that say what failed stand out. */
export function Output({ text, limit = 400 }: { readonly text: string; readonly limit?: number }) {
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(-limit);
  return (
    <pre className="out" tabIndex={0} aria-label="Output">
      {lines.length > shown.length && (
        <span className="soft">
          {lines.length - shown.length} earlier lines{"\n"}
        </span>
      )}
      {shown.map((line, index) => (
        <span key={index} className={toneOfLine(line)}>
          <Plain text={line} />
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function toneOfLine(line: string): string {
  if (/^\s*(✗|✘|×|✕|not ok|FAIL|fail:|error[:\s])/i.test(line)) return "stop";
  if (/^\s*(✓|✔|√|ok \d)/.test(line)) return "soft";
  return "";
}
