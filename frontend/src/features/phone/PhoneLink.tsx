import { Icon } from "@/components/Icon";
import { report } from "@/lib/events";
import { useSettings } from "@/lib/useSettings";

interface Props {
  source: string;
  /** Spoken before the number; shown instead of it when `showNumber` is false. */
  label: string;
  className?: string | undefined;
  showNumber?: boolean;
}

/** A call link. It shows the number, because many visitors read this on a device that cannot call. */
export function PhoneLink({ source, label, className, showNumber = true }: Props) {
  const { clinicPhone, clinicPhoneDigits } = useSettings();
  return (
    <a
      href={`tel:${clinicPhoneDigits}`}
      className={className}
      aria-label={`${label}: ${clinicPhone}`}
      onClick={() => report({ kind: "phone_click", location: source })}
    >
      <Icon name="phone" />
      <span>{showNumber ? clinicPhone : label}</span>
    </a>
  );
}
