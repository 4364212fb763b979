import type { ReactNode } from "react";
import { Band } from "@/components/Band";
import buttons from "@/components/button.module.css";
import { PageLink } from "@/components/PageLink";
import ui from "@/styles/ui.module.css";

interface Props {
  words: { section: { title: string; lead: string }; more: string };
  sample?: boolean;
  children: ReactNode;
}

/** What to know before deciding: risks first. */
export function BeforeYouDecide({ words, sample = false, children }: Props) {
  return (
    <Band id="before-you-decide" words={words.section} tone="white" layout="columns" sample={sample}>
      <div className={ui.stack}>
        {children}
        <p>
          <PageLink to="/before-you-decide" className={buttons.quiet}>
            {words.more}
          </PageLink>
        </p>
      </div>
    </Band>
  );
}
