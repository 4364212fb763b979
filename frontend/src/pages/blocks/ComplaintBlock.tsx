import { complaint } from "@/content/complaint";
import { ComplaintBlock as Block } from "@/sections/complaint/ComplaintBlock";

export function ComplaintBlock() {
  return <Block words={complaint} />;
}
