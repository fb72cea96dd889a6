// A look at a node of the graph: why it stands there, with the button that settles it.

import { useRead } from "../api/reads.js";
import { go } from "../frame/route.js";
import { WhyBody } from "../panel/why-box.js";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Sign } from "../parts/sign.js";
import { Shown } from "../parts/states.js";

export function Peek({ id }: { readonly id: string }) {
  const read = useRead("why", { reference: id });
  return (
    <section className="peek" aria-label={`About ${id}`}>
      <Shown read={read} rows={2}>
        {(why) =>
          "chain" in why ? (
            <>
              <header>
                <Sign name={why.status} />
                <span className="id">{id}</span>
                <b>
                  <Plain text={why.chain[0]?.title ?? ""} />
                </b>
              </header>
              <WhyBody why={why} beside={id}>
                <Button k="o" onClick={() => go({ item: id, tab: "overview" })}>
                  Open
                </Button>
              </WhyBody>
            </>
          ) : null
        }
      </Shown>
    </section>
  );
}
