import { useLocation } from "react-router-dom";
import { HydrateLater } from "@/components/HydrateLater";
import { late } from "@/components/late";
import { landings } from "./landings";
import { SitePage } from "./SitePage";
import { PLAN } from "./treatmentPlaces";

/** What it works with is fetched after the page; until then its form is the browser's own. */
const PlanWork = late(() => import("./PlanWork"), "PlanWork");

/** The price plan, with the prices of the page that its address is below. Its chats' tags end with its address. */
export function PlanPage() {
  const [root = ""] = useLocation().pathname.split(PLAN);
  const landing = landings.find(({ name, also }) => [name, ...also].includes(root.slice(1)));
  const name = (root + PLAN).slice(1).replaceAll("/", "-");
  return (
    <SitePage sources={{ header: `header-${name}`, footer: `footer-${name}`, bottomBar: null }}>
      <HydrateLater>
        <PlanWork list={landing?.prices ?? "home"} root={root} source={`contact-form-${name}`} />
      </HydrateLater>
    </SitePage>
  );
}
