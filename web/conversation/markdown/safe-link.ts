const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** Where a link of a message may lead; null for anything else, which is shown as text. */
export function safeLink(href: string): string | null {
  try {
    const url = new URL(href);
    return SCHEMES.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
