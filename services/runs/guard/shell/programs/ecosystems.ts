import type { Call } from '../reading/call.ts';
import { literal, literalText } from '../words/word.ts';
import type { Program, Reading } from './program.ts';

const BUILD = 'process_launch';
const INSTALL = 'package_install process_launch network_egress';
const PUBLISH = 'provider_sync_write process_launch network_egress';
const PUSH = 'git_push process_launch network_egress';
const COMMIT = 'git_commit file_write file_delete process_launch network_egress';

/** A build tool of a language, by its first words: what installs, what publishes, and all else builds or runs. */
const builds = (installs: string, publishes: string): Omit<Program, 'names'> => ({
  operands: 'text',
  commands: { [installs]: INSTALL, [publishes]: PUBLISH },
  bare: BUILD,
  otherwise: BUILD,
});

/** Commands that publish within a group of commands, such as `dotnet nuget push`. */
const group = (publishes: string): Reading => ({
  commands: { [publishes]: PUBLISH },
  bare: BUILD,
  otherwise: INSTALL,
});

/** Tools of further languages, and of version control other than git. Their scripts and builds are processes. */
export const ECOSYSTEMS: readonly Program[] = [
  {
    names: 'dotnet',
    commands: { 'add restore tool workload new': INSTALL, 'nuget package': group('push delete') },
    bare: BUILD,
    otherwise: BUILD,
  },
  { names: 'nuget', ...builds('install restore update', 'push delete') },
  { names: 'mix', ...builds('deps.get deps.update local.hex local.rebar archive.install', 'hex.publish') },
  { names: 'rebar3', ...builds('get-deps upgrade', 'hex') },
  {
    names: 'dart flutter',
    commands: {
      pub: { commands: { 'publish lish': PUBLISH, deps: '' }, bare: BUILD, otherwise: INSTALL },
      upgrade: INSTALL,
    },
    bare: BUILD,
    otherwise: BUILD,
  },
  { names: 'pod', commands: { trunk: PUBLISH, 'install update': INSTALL }, bare: BUILD, otherwise: BUILD },
  {
    names: 'cabal stack opam',
    ...builds('install update fetch unpack get upgrade pin', 'upload sdist-upload publish'),
  },
  { names: 'luarocks', ...builds('install build make', 'upload') },
  { names: 'cpan cpanm carton', does: INSTALL, operands: 'text' },
  { names: 'conan vcpkg', ...builds('install download', 'upload') },
  { names: 'vsce ovsx', ...builds('install', 'publish unpublish') },
  { names: 'maturin flit wasm-pack jsr', ...builds('install', 'publish upload') },
  {
    names: 'goreleaser jreleaser',
    ...builds('install', 'release publish full-release deploy announce upload'),
  },
  {
    names: 'hg sl bzr fossil darcs pijul',
    operands: 'text',
    commands: {
      'push pushbackup submit outgoing': PUSH,
      'status st log diff cat annotate blame summary branches tags root version help paths': BUILD,
    },
    bare: BUILD,
    otherwise: COMMIT,
  },
  {
    names: 'svn',
    commands: {
      'commit ci import copy cp mkdir delete del rm move mv lock unlock propset': `${PUSH} provider_sync_write file_write file_delete`,
      'status st log diff cat blame info list ls': 'network_egress process_launch',
    },
    bare: '',
    otherwise: COMMIT,
  },
  {
    names: 'jj',
    commands: {
      git: { commands: { push: PUSH }, bare: BUILD, otherwise: COMMIT },
      'log st status diff show': BUILD,
    },
    bare: BUILD,
    otherwise: COMMIT,
  },
  {
    names: 'gt ghstack spr arc av git-town git-spr',
    does: `${COMMIT} ${PUSH} pr_create pr_publish provider_sync_write`,
    operands: 'text',
  },
  { names: 'rclone s3cmd s5cmd mc b2 minio', does: PUBLISH, operands: 'read', read: readTransfer },
  { names: 'pre-commit', does: 'process_launch file_write network_egress', operands: 'text', read: readTry },
];

/** A copy may come here. */
function readTransfer(call: Call): void {
  const target = call.args.at(-1);
  if (target && !/^[\w-]+:/.test(literalText(target) ?? '')) call.write(target);
}

function readTry(call: Call): void {
  if (call.args.some((word) => literalText(word) === 'install')) call.write(literal('.git/hooks/pre-commit'));
}
