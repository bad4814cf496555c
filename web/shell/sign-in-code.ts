/** The code in a sign-in link, or the code alone; null for text that holds none. */
export function codeOf(text: string): string | null {
  const code = /#code=([^\s&#]+)/.exec(text)?.[1] ?? text.trim();
  return /^[A-Za-z0-9_-]{20,200}$/.test(code) ? code : null;
}
