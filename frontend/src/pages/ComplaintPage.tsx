import { complaint } from "#content/complaint.yaml";
import { ComplaintBlock } from "@/sections/complaint/ComplaintBlock";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-complaint", footer: "footer-complaint", bottomBar: null };

export function ComplaintPage() {
  return (
    <SitePage sources={SOURCES}>
      <ComplaintBlock words={complaint} />
    </SitePage>
  );
}
