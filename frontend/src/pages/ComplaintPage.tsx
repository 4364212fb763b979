import { complaint } from "#content/complaint.yaml";
import { HydrateLater } from "@/components/HydrateLater";
import { late } from "@/components/late";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-complaint", footer: "footer-complaint", bottomBar: null };

/** The form's code is fetched after the page; until then the pre-rendered form stays. */
const ComplaintBlock = late(() => import("@/sections/complaint/ComplaintBlock"), "ComplaintBlock");

export function ComplaintPage() {
  return (
    <SitePage sources={SOURCES}>
      <HydrateLater>
        <ComplaintBlock words={complaint} />
      </HydrateLater>
    </SitePage>
  );
}
