// What a line of a spec begins with: the mark of a list, a check box, a heading, a rule, a table.

export interface ListMark {
  /** The content after the mark and the check box. */
  readonly rest: string;
  readonly number?: number;
  readonly checkbox: boolean;
  readonly done: boolean;
}

const BULLET = /^(?:[-*+•‣▪●◦–]|(\d{1,9})[.)]|[a-zA-Z]\))(?:\s+|$)/;
const CHECKBOX = /^\[([ xX])\](?:\s+|$)/;
const ATX = /^(#{1,6})(?:\s+(.*))?$/;

/** A mark of a list at the start of the content; a check box alone is one too. */
export function listMark(content: string): ListMark | undefined {
  const bullet = BULLET.exec(content);
  const afterBullet = bullet === null ? content : content.slice(bullet[0].length);
  const box = CHECKBOX.exec(afterBullet);
  if (bullet === null && box === null) return undefined;
  const number = bullet?.[1];
  return {
    rest: box === null ? afterBullet : afterBullet.slice(box[0].length),
    ...(number === undefined ? {} : { number: Number(number) }),
    checkbox: box !== null,
    done: box !== null && box[1] !== " ",
  };
}

export function atxHeading(content: string): { level: number; title: string } | undefined {
  const match = content.startsWith("#") ? ATX.exec(content) : null;
  if (match === null) return undefined;
  const [, signs = "", rest = ""] = match;
  const title = rest.trimEnd();
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end--;
  const closed = end < title.length && (end === 0 || /\s/.test(title[end - 1] as string));
  return { level: signs.length, title: (closed ? title.slice(0, end) : title).trim() };
}

/** `===` and `---` below a line make it a heading. */
export const setextLevel = (content: string): 1 | 2 | undefined =>
  /^={2,}$/.test(content) ? 1 : /^-{2,}$/.test(content) ? 2 : undefined;

export const isRule = (content: string): boolean =>
  /^[-*_=\s]+$/.test(content) && /^(?:-{3,}|\*{3,}|_{3,}|={3,})$/.test(content.replaceAll(/\s/g, ""));

/** The line below the head of a table: `| --- | :-: |`. */
export const isTableRule = (content: string): boolean =>
  content.includes("|") && content.includes("-") && /^[|:\-\s]+$/.test(content);

/** A line that is all bold and names what follows. */
export function boldHeading(content: string): string | undefined {
  if (content.length > 90 || !/^(?:\*\*|__)[^*_].*(?:\*\*|__):?$/.test(content)) return undefined;
  const title = content.replace(/^(?:\*\*|__)|(?:\*\*|__):?$/g, "").replace(/:$/, "");
  return /[*]{2}|__/.test(title) || /[.!?;,]$/.test(title) ? undefined : title.trim();
}

export function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let cell = "";
  for (let at = 0; at < row.length; at++) {
    const sign = row[at] as string;
    if (sign === "\\" && row[at + 1] === "|") {
      cell += "|";
      at++;
    } else if (sign === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += sign;
  }
  cells.push(cell.trim());
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return cells;
}

/** Lines that a reader of the page sees nothing of, or only a picture: tags, badges, link definitions. */
export function isDecoration(content: string): boolean {
  if (content.length > 2_000) return false;
  if (content.startsWith("<")) return content.replaceAll(/<[^<>]*>/g, "").trim() === "";
  if (content.startsWith("[") && /^\[[^\]^][^\]]*\]:\s+\S+/.test(content)) return true;
  if (!content.startsWith("![") && !content.startsWith("[![")) return false;
  const pictures = content.replaceAll(/!\[[^\][]{0,300}\]\([^()]{0,500}\)/g, "");
  return pictures.replaceAll(/\[\s*\]\([^()]{0,500}\)/g, "").trim() === "";
}
