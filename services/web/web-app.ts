import { Fault } from '../kit/fault.ts';
import type { Log } from '../kit/log.ts';
import { problemResponse } from '../kit/problem.ts';
import { chooseEncoding, type Encoding } from './encoding.ts';
import { boundsOf } from './page-headers.ts';
import { buildMark, INDEX, listWebFiles, readWebFile, type WebFile, type WebFiles } from './web-files.ts';
import { fileNameOf, hasExtension, isOfServices } from './web-path.ts';

const BUILD_COMMAND = 'bun scripts/build-web.ts';

/**
 * Serves the built app from a folder: a file of it, or its page for every path without an extension, since places in the app
 * are paths too. Null for what is the services'.
 */
export function createWebApp({ folder, log }: { folder: string; log: Log }) {
  const build = createBuild(folder);
  return async (request: Request): Promise<Response | null> => {
    const { pathname } = new URL(request.url);
    if (!['GET', 'HEAD'].includes(request.method) || isOfServices(pathname)) return null;
    const name = fileNameOf(pathname);
    if (name === null) return missing(pathname, log);
    const isPlace = !hasExtension(name);
    const files = await build.files(isPlace);
    if (files === null) return notBuilt(request, log);
    const file = files.get(name) ?? (isPlace ? files.get(INDEX) : undefined);
    return (file && (await answer(request, folder, file))) ?? missing(pathname, log);
  };
}

/** The files of the build there is; `look` for one that was made since. */
function createBuild(folder: string) {
  let known: { mark: string; files: WebFiles } | null = null;
  return {
    async files(look: boolean): Promise<WebFiles | null> {
      if (known !== null && !look) return known.files;
      const mark = await buildMark(folder);
      // The mark comes first: of a build that ends in between, the next look sees another one.
      if (mark === null) known = null;
      else if (known?.mark !== mark) known = { mark, files: await listWebFiles(folder) };
      return known?.files ?? null;
    },
  };
}

/** Null when the file is gone. */
async function answer(request: Request, folder: string, file: WebFile): Promise<Response | null> {
  const accepted = request.headers.get('accept-encoding');
  const encoding = chooseEncoding(accepted, (one) => file.sizes.has(one));
  const headers = headersOf(file, encoding);
  const { etag } = headers;
  if (etag !== undefined && isKnown(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const sent = {
    ...headers,
    'content-type': file.mediaType,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  };
  if (request.method === 'HEAD') {
    return new Response(null, { headers: { ...sent, 'content-length': String(file.sizes.get(encoding)) } });
  }
  const body = await readWebFile(folder, file.name, encoding);
  return body && new Response(new Uint8Array(body), { headers: sent });
}

function headersOf({ mediaType, isImmutable, hash }: WebFile, encoding: Encoding): Record<string, string> {
  return {
    ...boundsOf(mediaType),
    vary: 'accept-encoding',
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(hash === null ? {} : { etag: `"${hash}-${encoding}"` }),
  };
}

function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

function missing(pathname: string, log: Log): Response {
  return unkept(problemResponse(new Fault('not_found', `There is no ${pathname}.`), log));
}

function notBuilt(request: Request, log: Log): Response {
  const what = 'The web app is not built.';
  if (/\bjson\b/.test(request.headers.get('accept') ?? '')) {
    const message = `${what} Build it with \`${BUILD_COMMAND}\`; the server need not be started again.`;
    return unkept(problemResponse(new Fault('unavailable', message), log));
  }
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Control Center</title>
<h1>${what}</h1>
<p>Build it with <code>${BUILD_COMMAND}</code> and load this page again. The server need not be started again.</p>
</html>
`;
  return unkept(new Response(page, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } }));
}

function unkept(response: Response): Response {
  const bounds = boundsOf(response.headers.get('content-type') ?? '');
  for (const [name, value] of Object.entries(bounds)) response.headers.set(name, value);
  response.headers.set('cache-control', 'no-store');
  return response;
}
