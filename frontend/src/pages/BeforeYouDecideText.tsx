import { checked_on, lead, sources, title, topics, words } from "#content/before-you-decide.yaml";
import { email } from "#content/clinic.yaml";
import { page } from "#content/legal.yaml";
import { breadcrumb } from "#content/treatment-page.yaml";
import { Breadcrumb } from "@/components/Breadcrumb";
import buttons from "@/components/button.module.css";
import { ChatLink } from "@/components/ContactLinks";
import { topicSection } from "@/content/beforeYouDecide";
import { useSamples } from "@/lib/settings";
import { LegalText, MailLink } from "@/sections/legal/LegalText";
import styles from "@/sections/legal/LegalText.module.css";
import { TopicDetails } from "@/sections/legal/TopicDetails";
import { allTreatments } from "./treatmentPlaces";

type Topic = (typeof topics)[number];

const nameOf = ({ by, dated }: (typeof sources)[string]) => `${by}, ${dated}`;

const sourcesOf = (topic: Topic) =>
  topic.sources.flatMap((id) => {
    const source = sources[id];
    return source ? [{ name: nameOf(source), address: source.address }] : [];
  });

function sectionOf(topic: Topic, samples: boolean) {
  const { id, answer, ...details } = topicSection(topic, words.ours, samples);
  const more = <TopicDetails {...details} from={words.from} sources={sourcesOf(topic)} />;
  return { id, title: topic.title, text: [answer], more };
}

/** Every source in full. */
const SOURCES = {
  id: "sources",
  title: words.sources.title,
  text: [words.sources.lead],
  more: (
    <ul className={styles.items}>
      {Object.values(sources).map((source) => (
        <li key={source.address}>
          <a href={source.address}>{nameOf(source)}</a>. {source.title}.
        </li>
      ))}
    </ul>
  ),
};

export function BeforeYouDecideText() {
  const samples = useSamples();
  const sections = [...topics.map((topic) => sectionOf(topic, samples)), SOURCES];
  const dated = checked_on === null ? null : { text: words.checked, day: checked_on };
  const above = <Breadcrumb label={breadcrumb.label} above={[{ path: "/", text: breadcrumb.home }]} current={title} />;
  return (
    <LegalText
      words={{ contents: words.contents, home: page.home, dated, title, lead, sections }}
      values={{ email: <MailLink to={email} /> }}
      above={above}
    >
      <p>
        <ChatLink source="before-you-decide" className={buttons.quiet}>
          {words.chat}
        </ChatLink>
      </p>
      <p>
        <a href={allTreatments("")} className={buttons.quiet}>
          {words.prices}
        </a>
      </p>
    </LegalText>
  );
}
