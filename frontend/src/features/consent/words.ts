import type { Purpose } from "@/lib/consent";

export interface ConsentWords {
  /** Of the wording: a change of it asks everybody again. */
  version: string;
  title: string;
  text: string;
  promise: string;
  more: { text: string; href: string };
  accept: string;
  reject: string;
  choose: string;
  save: string;
  legend: string;
  purposes: Record<Purpose, { label: string; text: string }>;
  needed: string;
}
