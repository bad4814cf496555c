const OF_SERVICES = ['/api', '/hooks', '/internal', '/healthz'];

/** However it is written: what nobody would take for a page of the app is answered by the services, with their refusal. */
export function isOfServices(pathname: string): boolean {
  const lower = pathname.toLowerCase();
  return OF_SERVICES.some((path) => lower === path || lower.startsWith(`${path}/`));
}

/**
 * The name of a file that a path means, `` for the root; null for one that can name nothing. It is looked up in the list of
 * files as it is, so that no spelling of a path leads anywhere else.
 */
export function fileNameOf(pathname: string): string | null {
  if (pathname === '/') return '';
  const parts = pathname.slice(1).replace(/\/$/, '').split('/').map(decoded);
  return parts.every((part) => part !== null && isName(part)) ? parts.join('/') : null;
}

/** Whether a file is meant rather than a place in the app, which the app itself knows. */
export function hasExtension(name: string): boolean {
  return name.slice(name.lastIndexOf('/') + 1).includes('.');
}

function isName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && !/[/\\\p{Cc}]/u.test(part);
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    // It is percent-encoded in a way that means nothing.
    return null;
  }
}
