/** Radix's tooltip is 12 kB: fetched after the page. The section around it is pre-rendered, and hydrated with it. */
import type { ReactNode } from "react";
import { lazyNamed } from "./lazyNamed";

const load = () => import("./RadixTip");
const Plain = ({ children }: { children: ReactNode }) => children;

export const TipGroup = lazyNamed(load, "TipGroup", { TipGroup: Plain });
export const Tip = lazyNamed(load, "Tip", { Tip: Plain });
