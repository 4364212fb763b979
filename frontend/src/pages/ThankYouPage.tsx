import { thankYou } from "#content/thank-you.yaml";
import { usePageView } from "@/lib/usePageView";
import { Confirmation } from "@/sections/thank-you/Confirmation";
import { SitePage } from "./SitePage";

const SOURCE = "thank-you-page";
const SOURCES = { header: SOURCE, footer: SOURCE, bottomBar: null };

export function ThankYouPage() {
  usePageView(thankYou.eventTitle);
  return (
    <SitePage sources={SOURCES}>
      <Confirmation words={thankYou} source={SOURCE} />
    </SitePage>
  );
}
