import { type Arguments, has } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { readCode } from '../reading/code.ts';
import { literalText } from '../words/word.ts';
import { joinedText, runInput } from './builtins-running.ts';
import { readInput } from './interpreters.ts';
import type { Program } from './program.ts';

/** Programs that control processes, now or later, on this machine. */
export const PROCESSES: readonly Program[] = [
  {
    names:
      'pkill killall skill systemctl service rc-service initctl launchctl supervisorctl pm2 forever reboot shutdown halt poweroff telinit renice mount umount modprobe insmod rmmod swapon swapoff fdisk parted mkfs useradd usermod userdel groupadd passwd chsh visudo open xdg-open start nmcli iptables nft ufw loginctl run-parts start-stop-daemon',
    does: 'process_launch',
  },
  { names: 'tmux screen zellij dtach abduco byobu', operands: 'text', read: readTerminal },
  {
    names: 'systemd-run',
    does: 'process_launch',
    options:
      'p|property:anything u|unit:text E|setenv:anything d|working-directory:text uid:text gid:text slice:text description:text on-active:text on-boot:text on-calendar:text',
    operands: 'command',
    stops: true,
  },
  {
    names: 'at batch',
    does: 'process_launch',
    options: 'f:launch t:text q:text l|list r d c',
    operands: 'text',
    read: (call) => runInput(call),
  },
  {
    names: 'crontab',
    options: 'l e!process_launch r!file_delete,process_launch u:text',
    operands: 'look',
    read: readCrontab,
  },
];

function readTerminal(call: Call): void {
  if (!/^(ls|list-\w+|-ls|-V|has-session|has|info|display-message)$/.test(literalText(call.args[0]) ?? ''))
    call.anything('drives a terminal');
}

function readCrontab(call: Call, given: Arguments): void {
  if (has(given, 'l')) return;
  call.add('process_launch', 'file_write', 'write_outside_worktree');
  if (given.operands.length === 0 || literalText(given.operands[0]) === '-') readInput(call);
}

const DATABASE = 'process_launch network_egress';

/** Clients of databases. Some run commands of the shell, or write files. */
export const DATABASES: readonly Program[] = [
  {
    names: 'sqlite3 sqlite duckdb',
    does: 'process_launch',
    options: 'cmd:code init:launch c:code f:launch separator:text newline:text nullvalue:text readonly',
    operands: 'write code',
    singleDash: true,
    read: readDatabase,
  },
  {
    names: 'mongosh psql pgcli mysql mariadb mycli clickhouse-client cqlsh mongo sqlcmd sqlplus bq',
    does: DATABASE,
    options:
      'c|command:code e|execute:code f|file:launch o|output:write L|log-file:write eval:code query:code q:text v|set|variable:text h|host:text U|username:text d|dbname:text p:text u:text',
    operands: 'text',
    read: readDatabase,
  },
  {
    names: 'pg_dump pg_dumpall mysqldump mongodump pg_restore createdb dropdb',
    does: DATABASE,
    options: 'f|file:write r|result-file:write out:write',
    operands: 'text',
  },
];

/** Commands of the clients, and functions of the databases, that reach out of them. */
const CLIENT_COMMANDS =
  /\.(shell|system|output|once|excel|backup|save|import|read|load|clone|dump)\b|\\(!|o|g|copy|w|i)|\b(load_extension|into\s+(out|dump)file|vacuum\s+into|attach|writefile|edit\()/i;

function readDatabase(call: Call): void {
  readInput(call);
  const { input } = call.facts;
  const all = [...call.args.map(literalText), input.kind === 'text' ? input.text : ''].join('\n');
  const copies = /\bcopy\b/i.test(all) && /\b(program|to)\b/i.test(all);
  if (copies || CLIENT_COMMANDS.test(all)) call.anything('may run commands or write files');
}

const CLOUD = 'network_egress provider_sync_write process_launch';
const SECRETS =
  /^(auth|login|secrets?|secretsmanager|ssm|sts|kms|get-.*(token|password|credentials?).*|print-.*token|account|configure|credentials?|iam|export-credentials)$/i;

/** Command lines of clouds and deployment tools: they change something there unless more is known. */
export const CLOUDS: readonly Program[] = [
  {
    names:
      'aws gcloud gsutil az doctl heroku vercel netlify fly flyctl wrangler railway supabase firebase linode-cli hcloud oci ibmcloud terraform tofu terragrunt pulumi cdk serverless sls sam ansible ansible-playbook chef knife puppet salt nomad consul sentry-cli stripe shopify eas expo fastlane jira linear acli',
    does: CLOUD,
    operands: 'read',
    read: (call) => {
      if (call.args.some(({ kind, text }) => kind !== 'literal' || SECRETS.test(text)))
        call.add('secret_access');
      if (call.args.some(({ kind }) => kind !== 'literal')) readCode(call, joinedText(call.args));
    },
  },
];
