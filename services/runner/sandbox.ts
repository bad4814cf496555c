import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What of git's a sandbox mounts; `covers` lie over the source's git directory. */
export interface GitMounts {
  commonDir: string;
  adminDir: string;
  config: string;
  /** Folder that names the source's objects to git; a command cannot change it. */
  objectsInfo: string;
  covers: { from: string; to: string }[];
  alternates: string[];
}

/** What a sandboxed process may see and change. Paths are absolute and the same inside and outside. */
export interface Posture {
  readOnly: boolean;
  worktree: string;
  /** Always writable, in a read-only posture too: HOME and TMPDIR. */
  writable: readonly string[];
  dataDir: string;
  git: GitMounts;
  /** More of the host that commands may read, and what must not be seen of what they could. */
  readable: readonly string[];
  hidden: readonly string[];
  env: Record<string, string>;
}

const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib64',
  '/lib32',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
  '/snap',
];
const SYSTEM_SECRETS = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/krb5.keytab',
  '/etc/NetworkManager',
  '/etc/wireguard',
];

/** Folder with `bun` inside the sandbox, and where the source's objects are when the overlay covers them. */
const INSIDE = '/run/control-center';
export const SANDBOX_TOOLS = `${INSIDE}/bin`;
export const SANDBOX_OBJECTS = `${INSIDE}/objects`;

const ISOLATION = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  // Without it a command of root's keeps the right to mount, and remounts a read-only worktree writable.
  '--cap-drop',
  'ALL',
  '--die-with-parent',
  '--new-session',
  '--hostname',
  'sandbox',
];

/** Namespaces and the system part of the disk; nothing else of the host is there. The network is the host's. */
export function isolationArguments(env: Record<string, string>, disableUserNamespaces: boolean): string[] {
  const args = [...ISOLATION, ...(disableUserNamespaces ? ['--disable-userns'] : []), '--clearenv'];
  for (const [name, value] of Object.entries(env)) args.push('--setenv', name, value);
  for (const dir of SYSTEM) args.push('--ro-bind-try', dir, dir);
  args.push('--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run', '--tmpfs', '/var');
  args.push('--dir', '/var/tmp', ...SYSTEM_SECRETS.flatMap(hide));
  return args.concat(nameServers(), ['--ro-bind', realpathSync(process.execPath), `${SANDBOX_TOOLS}/bun`]);
}

/** The arguments of bubblewrap up to `--`, for a command in the worktree. */
export function sandboxArguments(p: Posture, disableUserNamespaces: boolean): string[] {
  const args = isolationArguments(p.env, disableUserNamespaces);
  for (const path of p.readable) args.push('--ro-bind-try', path, path);
  args.push(...p.hidden.flatMap(hide), '--tmpfs', p.dataDir);
  args.push(...gitArguments(p), p.readOnly ? '--ro-bind' : '--bind', p.worktree, p.worktree);
  args.push('--ro-bind-try', join(p.worktree, '.git'), join(p.worktree, '.git'));
  for (const path of p.writable) args.push('--bind', path, path);
  return args.concat(['--remount-ro', p.dataDir, '--remount-ro', '/', '--chdir', p.worktree]);
}

/**
 * The source's git directory, read-only whole. Over it lie the worktree's own administrative files and the overlay's
 * objects, branch and log: git inside works as usual and can harm nothing outside this conversation.
 */
function gitArguments({ git, readOnly }: Posture): string[] {
  const bind = readOnly ? '--ro-bind' : '--bind';
  const args = ['--ro-bind', git.commonDir, git.commonDir];
  args.push('--ro-bind', join(git.commonDir, 'objects'), SANDBOX_OBJECTS);
  for (const path of git.alternates) args.push('--ro-bind-try', path, path);
  for (const { from, to } of git.covers) args.push(bind, from, to);
  args.push('--ro-bind', git.objectsInfo, join(git.commonDir, 'objects', 'info'));
  args.push('--ro-bind', git.config, join(git.commonDir, 'config'), bind, git.adminDir, git.adminDir);
  for (const file of ['commondir', 'gitdir', 'config.worktree']) {
    args.push('--ro-bind', join(git.adminDir, file), join(git.adminDir, file));
  }
  return args;
}

function hide(path: string): string[] {
  if (!existsSync(path)) return [];
  return statSync(path).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}

/** /etc/resolv.conf is often a link into /run, which is covered. */
function nameServers(): string[] {
  if (!existsSync('/etc/resolv.conf')) return [];
  const real = realpathSync('/etc/resolv.conf');
  return real.startsWith('/run/') ? ['--ro-bind', real, real] : [];
}
