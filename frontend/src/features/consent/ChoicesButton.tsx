import { askAgain, purposesOf } from "@/lib/consentNeed";
import { useSettings } from "@/lib/settings";

/** Reopens the cookie banner. Not rendered where no consent is needed. */
export function ChoicesButton({ className, label }: { className?: string | undefined; label: string }) {
  const settings = useSettings();
  return (
    purposesOf(settings).length > 0 && (
      <button type="button" className={className} onClick={askAgain}>
        {label}
      </button>
    )
  );
}
