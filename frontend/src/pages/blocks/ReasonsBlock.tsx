import { reasonsWords } from "@/content/care";
import { Reasons } from "@/sections/Reasons";

export function ReasonsBlock() {
  return <Reasons words={reasonsWords} />;
}
