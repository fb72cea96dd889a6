// Asks for the code that the terminal shows: a page of its own before the first sign-in, a bar when this browser was removed.

import { type FormEvent, useId, useRef, useState } from "react";
import { signIn } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import { isSignedOut } from "../api/token.js";
import { Prose } from "../parts/prose.js";
import { Mark } from "./nav.js";

function CodeForm({ focus = false }: { readonly focus?: boolean }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || code.trim() === "") return field.current?.focus();
    setBusy(true);
    const error = await signIn(code);
    setBusy(false);
    setFailure(error?.message ?? null);
    if (error) field.current?.select();
  };
  return (
    <form className="code-form" onSubmit={(event) => void send(event)}>
      <label htmlFor={id}>Code</label>
      <input
        ref={field}
        id={id}
        value={code}
        // The page has nothing else to do; the bar must not take the focus from what you type.
        autoFocus={focus}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        placeholder="XXXX-XXXX"
        maxLength={40}
        aria-invalid={failure !== null}
        aria-describedby={`${id}-failure`}
        onChange={({ target }) => setCode(target.value)}
      />
      <button type="submit" className="btn primary" disabled={busy}>
        Sign in
      </button>
      <p id={`${id}-failure`} className="stop-text" role="alert">
        {failure !== null && <Prose text={failure} plainIds />}
      </p>
    </form>
  );
}

const HowToGetOne = () => (
  <p className="hint">
    For a new code, press Enter where the board runs, or type <code>planwright board --code</code>.
  </p>
);

const SIGNED_OUT = "This browser is not signed in any more. Type a new code.";

export function SignInPage() {
  const again = useSignal(isSignedOut);
  return (
    <main className="sign-in">
      <Mark />
      <h1>Sign in to the board</h1>
      <p>
        {again
          ? SIGNED_OUT
          : "Type the code that the terminal shows below the address of this page. This browser then stays signed in."}
      </p>
      <CodeForm focus />
      <HowToGetOne />
    </main>
  );
}

const FOREIGN =
  "Something other than your board answers at this address. Type no code here, and do not reload this page. Start the board again, and look at the address that it prints.";

export const ForeignBar = () => (
  <section className="sign-in-bar" aria-label="Another program">
    <p role="alert" className="stop-text">
      {FOREIGN}
    </p>
  </section>
);

/** The page stays as it is, with everything that you typed. */
export function SignInBar() {
  return (
    <section className="sign-in-bar" aria-label="Sign in again">
      <p role="status">{SIGNED_OUT}</p>
      <CodeForm />
      <HowToGetOne />
    </section>
  );
}
