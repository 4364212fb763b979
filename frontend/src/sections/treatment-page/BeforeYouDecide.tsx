import { Band } from "@/components/Band";
import buttons from "@/components/button.module.css";
import { PageLink } from "@/components/PageLink";
import { Folds } from "@/sections/Folds";

interface Props {
  words: { section: { title: string; lead: string }; more: string };
  topics: readonly { id: string; title: string; texts: readonly string[]; sample: boolean }[];
  /** The address of the page that says more. */
  page: string;
}

/** What to know before deciding on this treatment: risks first. */
export function BeforeYouDecide({ words, topics, page }: Props) {
  const more = (
    <p>
      <PageLink to={page} className={buttons.quiet}>
        {words.more}
      </PageLink>
    </p>
  );
  const folds = topics.map(({ title, texts }) => ({
    question: title,
    answer: texts.map((text) => <p key={text}>{text}</p>),
  }));
  const sample = topics.some((topic) => topic.sample);
  return (
    <Band id="before-you-decide" words={words.section} tone="white" layout="columns" sample={sample} aside={more}>
      <Folds folds={folds} />
    </Band>
  );
}
