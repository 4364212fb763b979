import type { ReactNode } from "react";
import type { Fill } from "./fill";

export interface AnswerWords {
  title: string;
  ask: string;
  mark: string;
  scan: string;
  listed: string;
  buys: string;
  extra: string;
  unknown: string;
  instead: string;
  plus: string;
  trips: string;
  confirm: string;
  prices: string;
}

interface Props {
  words: AnswerWords;
  fill: Fill;
  /** The page with all prices. */
  prices: string;
}

/** The anchor of the answer. */
export const ANSWER = "your-price";

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="plan-part">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** What the lists say to the answers: a sum and what is not in it, or why there is none. */
export function PlanAnswer({ words, fill, prices }: Props) {
  const { text, when, each } = fill;
  const list = (place: string) => (
    <ul className="plan-extra">
      {each(place, (of) => (
        <li>{of()}</li>
      ))}
    </ul>
  );
  return (
    <section id={ANSWER} className="plan-answer" aria-labelledby={`${ANSWER}-title`}>
      <h2 id={`${ANSWER}-title`} className="plan-legend" tabIndex={-1}>
        {words.title}
      </h2>
      {when("ask", <p>{words.ask}</p>)}
      {when("about", <p>{text("about")}</p>)}
      {when("mark", <p>{words.mark}</p>)}
      {when("scan", <p>{words.scan}</p>)}
      {when(
        "sum",
        <>
          <p>
            <strong className="plan-sum">{text("sum")}</strong> <span>{words.listed}</span>
          </p>
          <ul className="plan-lines" aria-label={words.buys}>
            {each("lines", (of) => (
              <li>
                <span>
                  <b>{of("title")}</b> {of("each")}
                </span>
                <span className="plan-number">{of("amount")}</span>
                <small>{of("includes")}</small>
              </li>
            ))}
          </ul>
          <Part title={words.extra}>{list("extra")}</Part>
        </>,
      )}
      {when("scan", <Part title={words.unknown}>{list("extra")}</Part>)}
      {when(
        "instead",
        <Part title={words.instead}>
          <p>
            {text("instead.text")}: <b className="plan-number">{text("instead.sum")}</b> (
            {text("instead.parts")}
            ).{" "}
            {when(
              "instead.extra",
              <>
                {words.plus}{" "}
                {each("instead.extra", (of) => (
                  <>{of()}. </>
                ))}
              </>,
            )}
          </p>
        </Part>,
      )}
      {when(
        "trips",
        <Part title={words.trips}>
          <p>{text("trips")}</p>
        </Part>,
      )}
      {when("xray", <p>{text("xray")}</p>)}
      {when("about", <p className="plan-confirm">{words.confirm}</p>)}
      <p>
        <a href={prices}>{words.prices}</a>
      </p>
    </section>
  );
}
