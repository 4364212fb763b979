import { Link, type LinkProps } from "react-router-dom";
import { reloadIfNavigationStalls } from "@/lib/shownPage";

/** A link to another page of the site, without loading a new document, unless the page's code does not come. */
export function PageLink({ to, ...rest }: LinkProps & { to: string }) {
  return <Link to={to} discover="none" onClick={() => reloadIfNavigationStalls(to)} {...rest} />;
}
