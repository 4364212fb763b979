import { siteWords } from "@/content/site";
import { thankYou } from "@/content/thankYou";
import { usePageView } from "@/lib/events";
import { useSamples } from "@/lib/settings";
import { PageFrame } from "@/sections/PageFrame";
import { Confirmation } from "@/sections/thank-you/Confirmation";
import { FooterBlock } from "./blocks/footer";

const SOURCE = "thank-you-page";

export function ThankYouPage() {
  usePageView(thankYou.eventTitle);
  return (
    <PageFrame
      words={siteWords(useSamples())}
      footer={<FooterBlock source={SOURCE} />}
      sources={{ header: SOURCE, bottomBar: null }}
    >
      <Confirmation words={thankYou} source={SOURCE} />
    </PageFrame>
  );
}
