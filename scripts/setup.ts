import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const REQUIRED_BUN = '1.4.5';

/** Makes a checkout ready: a new enough Bun, git, the pinned packages, the generated core, the built web app. Cheap when nothing is to do. */
export async function setUp(): Promise<void> {
  checkBun();
  checkGit();
  if (installPackages()) return goOnAfresh();
  // Loaded late: it needs the packages.
  const { buildCore } = await import('./build-core.ts');
  await buildCore();
  const { buildWeb } = await import('./build-web.ts');
  await buildWeb();
}

function checkBun(): void {
  if (Bun.semver.order(Bun.version, REQUIRED_BUN) >= 0) return;
  fail(
    `Bun ${REQUIRED_BUN} or later is needed, this is ${Bun.version}. Run \`npx -y bun@${REQUIRED_BUN} run …\` instead.`,
  );
}

function checkGit(): void {
  if (Bun.which('git')) return;
  fail('git is needed and was not found. On Debian: `apt-get install git`.');
}

/** Goes on in a process that began with the packages: one that began without resolves some of their imports wrongly. */
function goOnAfresh(): void {
  const rest = Bun.spawnSync([process.execPath, import.meta.path], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (rest.exitCode !== 0) process.exit(rest.exitCode ?? 1);
}

/** @returns whether there was something to install */
function installPackages(): boolean {
  const lock = join(root, 'bun.lock');
  const installed = join(root, 'node_modules', '.control-center-lock');
  const digest = new Bun.CryptoHasher('sha256').update(readFileSync(lock)).digest('hex');
  if (
    existsSync(installed) &&
    readFileSync(installed, 'utf8') === digest &&
    isDirectory(join(root, 'node_modules', 'hono'))
  )
    return false;
  process.stderr.write('Installing packages (frozen lock)…\n');
  const result = Bun.spawnSync([process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts'], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  if (result.exitCode !== 0) {
    fail(
      `The packages could not be installed. Check that the npm registry can be reached.\n${result.stderr.toString()}`,
    );
  }
  writeFileSync(installed, digest);
  return true;
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function fail(message: string): never {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}

if (import.meta.main) await setUp();
