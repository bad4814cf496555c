import { type Arguments, has } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { literal, literalText } from '../words/word.ts';
import type { Program, Reading } from './program.ts';

const NET = 'network_egress';
const SYNC = 'provider_sync_write network_egress';
const PUBLISH = 'pr_publish network_egress';
const SECRET = 'secret_access network_egress';

/** Options of `gh` that take a value and do nothing. */
const OPTIONS =
  'R|repo:text B|base:text H|head:text t|title:text b|body:text F|body-file:read L|limit:text S|state:text q|jq:text json:text template|T:text a|assignee:text l|label:text m|milestone:text r|reviewer:text';

const lists = (writes: string): Reading => ({
  commands: { 'list view status': NET },
  otherwise: writes,
  bare: '',
});

/** What `git` is to `hub`. */
const asGit: Reading = {
  operands: 'text',
  stops: true,
  read: (call) => call.command([literal('git'), ...call.args]),
};

const GH_COMMANDS: Readonly<Record<string, string | Reading>> = {
  auth: {
    commands: { token: SECRET, status: { does: NET, options: 't|show-token!secret_access' } },
    otherwise: `${SECRET} file_write write_outside_worktree`,
    bare: '',
  },
  pr: {
    commands: {
      'list view diff checks status': { does: NET, options: 'w|web!process_launch' },
      checkout: 'file_write file_delete git_commit network_egress',
      'create new': { does: 'pr_create network_egress', options: OPTIONS },
      'merge review comment close reopen ready edit lock unlock update-branch revert': {
        does: PUBLISH,
        options: `${OPTIONS} d|delete-branch!git_commit,file_write,file_delete`,
      },
    },
    bare: '',
  },
  issue: {
    commands: { 'list view status': { does: NET, options: 'w|web!process_launch' } },
    otherwise: { does: SYNC, options: `${OPTIONS} c|checkout!git_commit,file_write,file_delete` },
    bare: '',
  },
  release: {
    commands: {
      'list view': NET,
      download: {
        does: 'file_write network_egress',
        options: 'D|dir:write O|output:out p|pattern:text A|archive:text',
      },
    },
    otherwise: {
      does: 'pr_publish provider_sync_write network_egress',
      options: 'F|notes-file:read n|notes:text t|title:text',
      operands: 'read',
    },
    bare: '',
  },
  repo: {
    commands: {
      'list view': NET,
      clone: { does: 'network_egress', operands: 'text', read: readCloning },
      'create fork': 'provider_sync_write git_push file_write network_egress',
      sync: 'provider_sync_write git_commit file_write file_delete network_egress',
    },
    otherwise: SYNC,
    bare: '',
  },
  gist: {
    commands: { 'list view': NET, clone: { does: 'network_egress', operands: 'text', read: readCloning } },
    otherwise: { does: SYNC, operands: 'read' },
    bare: '',
  },
  run: {
    commands: {
      'list view watch': NET,
      download: {
        does: 'file_write network_egress',
        options: `${OPTIONS} D|dir:write n|name:text p|pattern:text`,
      },
    },
    otherwise: SYNC,
    bare: '',
  },
  'workflow label project ruleset cache org ssh-key gpg-key variable': lists(SYNC),
  secret: lists(`${SYNC} secret_access`),
  'search status': NET,
  browse: 'process_launch network_egress',
  attestation: 'network_egress file_write',
  'completion version help': '',
  config: {
    commands: { 'get list': '' },
    otherwise: 'file_write write_outside_worktree process_launch',
    bare: '',
  },
  alias: { commands: { list: '' }, otherwise: 'process_launch file_write write_outside_worktree', bare: '' },
  'extension extensions ext': {
    commands: { 'list search': NET },
    otherwise: 'package_install process_launch file_write write_outside_worktree network_egress',
    bare: '',
  },
  codespace: {
    commands: { list: NET },
    otherwise: 'enclosure_control process_launch network_egress',
    bare: '',
  },
  copilot: { does: 'process_launch network_egress', operands: 'text' },
  api: {
    does: NET,
    options:
      'X|method:text f|raw-field:text F|field:text H|header:text input:read q|jq:text t|template:text p|preview:text cache:text hostname:text i|include paginate slurp silent verbose',
    operands: 'text',
    read: readApi,
  },
};

/** Command lines of code hosts. A subcommand that is not known may be an alias or an extension. */
export const PROVIDERS: readonly Program[] = [
  { names: 'gh', helpBehind: 2, options: OPTIONS, commands: GH_COMMANDS, bare: '' },
  {
    names: 'glab',
    helpBehind: 2,
    options: 'R|repo:text',
    commands: {
      ...{
        auth: GH_COMMANDS.auth!,
        api: GH_COMMANDS.api!,
        repo: GH_COMMANDS.repo!,
        release: GH_COMMANDS.release!,
      },
      mr: {
        commands: {
          'list view diff issues': NET,
          checkout: 'file_write file_delete git_commit network_egress',
          'create new': 'pr_create git_push network_egress',
        },
        otherwise: PUBLISH,
        bare: '',
      },
      'issue label milestone incident schedule snippet cluster runner variable': lists(SYNC),
      'ci pipeline job': { commands: { 'list view status get trace lint': NET }, otherwise: SYNC, bare: '' },
      token: SECRET,
      'version help completion': '',
      config: GH_COMMANDS.config!,
      alias: GH_COMMANDS.alias!,
    },
    bare: '',
  },
  {
    names: 'hub',
    commands: {
      'pull-request': 'pr_create git_push network_egress',
      'pr release issue api fork create delete sync gist':
        'pr_publish pr_create provider_sync_write network_egress',
      'ci-status browse compare': NET,
    },
    bare: '',
    otherwise: asGit,
  },
  {
    names: 'tea berg fj',
    does: 'pr_create pr_publish provider_sync_write git_push network_egress',
    operands: 'read',
  },
];

/** What stands behind `--` are options of git's. */
function readCloning(call: Call, { operands }: Arguments): void {
  const end = call.args.findIndex((word) => literalText(word) === '--');
  const own = end < 0 ? [] : call.args.slice(end + 1);
  const folder = operands.length - own.length > 1 ? operands[1] : null;
  if (own.length > 0) call.command([literal('git'), literal('clone'), ...own, ...operands.slice(0, 1)]);
  call.write(folder ?? literal('.'));
}

/** Fields make it a POST, unless it is told to be a GET; of GraphQL, only a mutation writes. */
function readApi(call: Call, given: Arguments): void {
  const methods = given.options.filter(({ option }) => option?.names.includes('method'));
  const method = literalText(methods.at(-1)?.value) ?? (methods.length > 0 ? 'unknown' : null);
  const fields = given.options.filter(({ option }) => option?.names.some((name) => /field|input/.test(name)));
  for (const { value } of fields) if (value && /=@/.test(value.text)) call.look(value, true);
  const path = literalText(given.operands[0]);
  const isQuery =
    path === 'graphql' &&
    !has(given, 'input') &&
    !given.uncertain &&
    fields.every(({ value }) => isReading(literalText(value)));
  const reads = method === null ? fields.length === 0 || isQuery : /^(get|head|options)$/i.test(method);
  if (!reads || given.uncertain) call.add('pr_create', 'pr_publish', 'provider_sync_write');
}

const isReading = (field: string | null): boolean => field !== null && !/mutation|=@/i.test(field);
