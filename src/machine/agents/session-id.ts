// The id of a session as we give it out: the agent's own, and what the adapter must remember to go on with it
// in another process, such as how far a counter had come.

const MARK = "~";

export const joinId = (agentsId: string, note: string): string =>
  note === "" ? agentsId : `${agentsId}${MARK}${note}`;

export function splitId(id: string): { readonly agentsId: string; readonly note: string } {
  const at = id.lastIndexOf(MARK);
  return at < 0 ? { agentsId: id, note: "" } : { agentsId: id.slice(0, at), note: id.slice(at + 1) };
}
