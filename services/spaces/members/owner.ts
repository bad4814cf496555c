import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../kit/id.ts';
import { writeDurably } from '../atomic-file.ts';
import type { SpacesDeps } from '../deps.ts';
import { hasOwner, insertOwner } from './store.ts';
import { newToken, tokenDigest } from './token.ts';
import { findOwnerFileToken, findTokenByDigest, replaceOwnerToken } from './token-store.ts';

const TOKEN_FILE = 'owner-token';

/**
 * Makes the owner and its token at the first start, and a new token when its file is gone: whoever may take that away and start
 * the server holds the installation, and gets in again.
 * @returns the token when this start is the one that brought it into being, else null
 */
export async function ensureOwner(deps: SpacesDeps): Promise<{ token: string | null }> {
  await mkdir(deps.dataDir, { recursive: true, mode: 0o700 });
  if (await hasOwner(deps.control))
    return { token: (await adoptStaged(deps)) ?? (await replaceLostToken(deps)) };
  const owner = { id: newId('mem'), name: 'Owner', role: 'owner' as const, createdAt: deps.clock() };
  return { token: await brought(deps, (row) => insertOwner(deps.control, owner, row)) };
}

async function replaceLostToken(deps: SpacesDeps): Promise<string | null> {
  if (existsSync(join(deps.dataDir, TOKEN_FILE))) return null;
  const lost = await findOwnerFileToken(deps.control);
  const token = await brought(deps, (row) =>
    replaceOwnerToken(deps.control, { ...row, createdAt: deps.clock() }, lost),
  );
  if (token !== null)
    deps.log.warn({ file: TOKEN_FILE }, 'the file of the owner’s token was gone and is made anew');
  return token;
}

/**
 * The token is on the disk before its digest is committed and takes its name after: a crash in between leaves either nobody, or a
 * staged file that the next start finds to be valid.
 * @param commit false when another start came first
 */
async function brought(
  deps: SpacesDeps,
  commit: (row: { id: string; digest: string; name: string }) => Promise<boolean>,
): Promise<string | null> {
  const token = newToken();
  const staged = join(deps.dataDir, `${TOKEN_FILE}.${crypto.randomUUID()}.staged`);
  await writeDurably(staged, `${token}\n`, 0o600);
  deps.onPoint?.('member.ownerToken:before');
  const won = await commit({ id: newId('tok'), digest: tokenDigest(token), name: 'first start' });
  if (won) await adopt(staged, deps.dataDir);
  else await rm(staged, { force: true });
  deps.onPoint?.('member.ownerToken:after');
  return won ? token : null;
}

async function adoptStaged(deps: SpacesDeps): Promise<string | null> {
  const names = await readdir(deps.dataDir);
  let adopted: string | null = null;
  for (const name of names) {
    if (!name.startsWith(`${TOKEN_FILE}.`) || !name.endsWith('.staged')) continue;
    const path = join(deps.dataDir, name);
    const token = (await readFile(path, 'utf8')).trim();
    if (await findTokenByDigest(deps.control, tokenDigest(token))) {
      await adopt(path, deps.dataDir);
      adopted = token;
    } else {
      await rm(path, { force: true });
    }
  }
  return adopted;
}

// Another process that starts at this moment may adopt the same file; once is enough.
async function adopt(staged: string, dataDir: string): Promise<void> {
  try {
    await rename(staged, join(dataDir, TOKEN_FILE));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  }
}
