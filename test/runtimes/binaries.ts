import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Platform = `${NodeJS.Platform} ${NodeJS.Architecture}`;

const DENO: Partial<Record<Platform, string>> = {
  'darwin arm64': '@deno/darwin-arm64',
  'darwin x64': '@deno/darwin-x64',
  'linux arm64': '@deno/linux-arm64-glibc',
  'linux x64': '@deno/linux-x64-glibc',
};

const WORKERD: Partial<Record<Platform, string>> = {
  'darwin arm64': '@cloudflare/workerd-darwin-arm64',
  'darwin x64': '@cloudflare/workerd-darwin-64',
  'linux arm64': '@cloudflare/workerd-linux-arm64',
  'linux x64': '@cloudflare/workerd-linux-64',
};

/** The platform's own package holds the program, so that no install script has to have run. */
function programOf(owner: string, packages: Partial<Record<Platform, string>>, subpath: string): string {
  const name = packages[`${process.platform} ${process.arch}`];
  if (name === undefined) throw new Error(`${owner} is not made for ${process.platform} ${process.arch}`);
  const from = dirname(Bun.resolveSync(`${owner}/package.json`, import.meta.dir));
  const program = join(dirname(Bun.resolveSync(`${name}/package.json`, from)), subpath);
  if (!existsSync(program)) throw new Error(`${program} is missing: run \`bun install\` again`);
  return program;
}

export const denoProgram = (): string => programOf('deno', DENO, 'deno');
export const workerdProgram = (): string => programOf('workerd', WORKERD, 'bin/workerd');

/** Path of a Chromium, or null when this machine has none. */
export function chromiumProgram(): string | null {
  const path = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return existsSync(path) ? path : null;
}

export const NO_CHROMIUM =
  'no Chromium at /usr/bin/chromium: install it (Debian: apt-get install chromium) or name one in CHROMIUM';
