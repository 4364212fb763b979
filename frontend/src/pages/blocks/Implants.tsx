import { brands, implants } from "@/content/implants";
import { useSamples } from "@/lib/settings";
import { ImplantsMarquee } from "@/sections/premium-implants/ImplantsMarquee";

export function Implants() {
  const samples = useSamples();
  const shown = brands.filter(({ sample }) => samples || !sample);
  return shown.length > 0 && <ImplantsMarquee id="premium-implants" words={implants} brands={shown} />;
}
