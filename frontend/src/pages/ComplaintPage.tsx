import { lazy } from "react";
import { complaint } from "#content/complaint.yaml";
import { HydrateLater } from "@/components/HydrateLater";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-complaint", footer: "footer-complaint", bottomBar: null };

/** The form's code is fetched after the page; until then the pre-rendered form stays. */
const ComplaintBlock = lazy(() =>
  import("@/sections/complaint/ComplaintBlock").then(({ ComplaintBlock }) => ({ default: ComplaintBlock })),
);

export function ComplaintPage() {
  return (
    <SitePage sources={SOURCES}>
      <HydrateLater>
        <ComplaintBlock words={complaint} />
      </HydrateLater>
    </SitePage>
  );
}
