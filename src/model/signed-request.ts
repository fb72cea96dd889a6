// What a page of the board signs before the board changes anything, in its browser, and what the board checks.

export interface SignedRequest {
  /** A key counts on the port where you typed its code, and nowhere else. */
  readonly port: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly bodyHash: string;
  /** From the board, good for one request. */
  readonly nonce: string;
  /** When the board made the nonce. */
  readonly time: number;
}

/** The header that carries it: nonce, time and signature, with a space between them. */
export const SIGNATURE_HEADER = "planwright-signature";

/** The board proves with a MAC over this, for a challenge that the page made up, that it is the one that knows this browser. */
export const provingText = (port: number, challenge: string): string =>
  `planwright board proves\n${port}\n${challenge}`;

/** No part can hold a line break: a header and an address have none. */
export const signedText = ({ port, method, path, bodyHash, nonce, time }: SignedRequest): string =>
  ["planwright board", port, method, path, bodyHash, nonce, time].join("\n");
