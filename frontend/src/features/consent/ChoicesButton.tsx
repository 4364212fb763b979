import { askAgain, purposesOf } from "@/lib/consentNeed";
import { useSettings } from "@/lib/settings";

interface Props {
  className?: string | undefined;
  label: string;
}

/** Opens the question about cookies again. Where nothing is asked there is no button. */
export function ChoicesButton({ className, label }: Props) {
  const settings = useSettings();
  return (
    purposesOf(settings).length > 0 && (
      <button type="button" className={className} onClick={askAgain}>
        {label}
      </button>
    )
  );
}
