/** Radix's tooltip is 12 kB: fetched after the page. The section around it is pre-rendered, and hydrated with it. */
import { lazy } from "react";

export const TipGroup = lazy(() => import("./RadixTip").then(({ TipGroup }) => ({ default: TipGroup })));
export const Tip = lazy(() => import("./RadixTip").then(({ Tip }) => ({ default: Tip })));
