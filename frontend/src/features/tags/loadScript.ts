import { logFailure } from "@/lib/log";

/** Asks for a tag's script. Calls queue up meanwhile; where it never comes they stay where they are. */
export function loadScript(url: string): void {
  const script = document.createElement("script");
  script.async = true;
  script.src = url;
  script.addEventListener("error", () => logFailure("Loading a tag", url));
  document.head.append(script);
}
