/** The head of the document, once another page is shown in it. */
export interface DocumentHead {
  title: string;
  description: string;
  /** The path by which search engines know the page. */
  canonical: string;
  isUnlisted: boolean;
}

function setAttribute(selector: string, name: string, value: string): void {
  document.head.querySelector(selector)?.setAttribute(name, value);
}

export function writeHead({ title, description, canonical, isUnlisted }: DocumentHead): void {
  document.title = title;
  setAttribute('meta[name="description"]', "content", description);
  const link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  // Only the pre-rendered link holds the site's own address.
  setAttribute('link[rel="canonical"]', "href", new URL(canonical, link?.href).href);
  setAttribute('meta[name="robots"]', "content", isUnlisted ? "noindex" : "index, follow");
}
