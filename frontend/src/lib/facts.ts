import { logFailure } from "./log";

/**
 * What can be read. Extensions that hide who somebody is make a browser's facts throw, and none of them may cost an
 * enquiry: such a fact is left out.
 */
export function readFacts<Facts extends object>(facts: { [Name in keyof Facts]: () => Facts[Name] }) {
  const read: Partial<Facts> = {};
  for (const name of Object.keys(facts) as (keyof Facts)[]) {
    try {
      read[name] = facts[name]();
    } catch (cause) {
      logFailure(`Reading ${String(name)}`, cause);
    }
  }
  return read;
}
