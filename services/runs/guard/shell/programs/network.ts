import { type Arguments, has, optionValue } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { readCode } from '../reading/code.ts';
import { isSecretName } from '../reading/secrets.ts';
import { dropStart, literal, literalText, type Word } from '../words/word.ts';
import { joinedText } from './builtins-running.ts';
import type { Program } from './program.ts';

const NET = 'network_egress';

export const NETWORK: readonly Program[] = [
  {
    names: 'curl',
    does: NET,
    options:
      'o|output:out O|remote-name remote-name-all J|remote-header-name output-dir:write T|upload-file:read K|config:anything d|data:text data-ascii:text data-binary:text data-raw:text data-urlencode:text json:text F|form:text form-string:text H|header:text c|cookie-jar:out D|dump-header:out b|cookie:read trace:out trace-ascii:out stderr:out libcurl:out etag-save:write etag-compare:read hsts:write alt-svc:write E|cert:read key:read cacert:look capath:look n|netrc!secret_access netrc-optional!secret_access netrc-file:read!secret_access X|request:text u|user:text A|user-agent:text e|referer:text x|proxy:text m|max-time:text connect-timeout:text retry:text retry-delay:text w|write-out:text r|range:text resolve:text connect-to:text interface:text limit-rate:text Y:text y:text z|time-cond:look Q|quote:text engine:anything url:url unix-socket|abstract-unix-socket:text variable:text url-query:text pubkey:read random-file:look dns-servers:text t|telnet-option:text C:text P:text U:text',
    operands: 'url',
    read: readCurl,
  },
  {
    names: 'wget wget2',
    does: NET,
    options:
      'O|output-document:out P|directory-prefix:write o|output-file:out a|append-output:out i|input-file:read e|execute:anything config:anything use-askpass:shell post-data:text post-file:read body-file:read body-data:text method:text header:text load-cookies:read save-cookies:write certificate:look private-key:read ca-certificate:look U|user-agent:text T|timeout:text t|tries:text w|wait:text Q:text l:text A:text R:text D:text B:text user:text password:text spider q|quiet warc-file:write rejected-log:write hsts-file:write',
    operands: 'url',
    read: (call, given) => {
      if (!has(given, 'spider', 'O')) call.write(literal('.'));
      if (has(given, 'post-data', 'post-file', 'body-data', 'body-file', 'method')) readSending(call, given);
    },
  },
  {
    names: 'ssh slogin mosh',
    does: `process_launch ${NET}`,
    options:
      'B:text b:text c:text D:text E:write e:text F:launch I:launch i:look J:text L:text l:text m:text O:text o:text P:text p:text Q:text R:text S:text W:text w:text ssh:shell',
    operands: 'text',
    stops: true,
    read: readSsh,
  },
  {
    names: 'scp',
    does: NET,
    options: 'S:shell o:text F:launch i:look J:text c:text l:text P:text D:shell X:text',
    operands: 'read',
    read: (call, given) => {
      readSshOptions(call, given);
      const target = given.operands.at(-1);
      if (target && !isRemote(target)) call.write(target);
    },
  },
  {
    names: 'sftp ftp lftp tftp ncftp',
    does: `process_launch file_write ${NET}`,
    options: 'b:launch o:anything S:shell e:code c:code f:launch',
    operands: 'text',
    read: readFtp,
  },
  {
    names: 'rsync',
    options:
      'e|rsh:starter rsync-path:shell daemon!process_launch delete-missing-args!file_delete remove-sent-files!file_delete delete!file_delete del!file_delete delete-before!file_delete delete-during!file_delete delete-after!file_delete delete-delay!file_delete delete-excluded!file_delete remove-source-files!file_delete T|temp-dir:write log-file:write write-batch:write only-write-batch:write backup-dir:write partial-dir:write files-from:read exclude-from:read include-from:read password-file:read exclude:text include:text f|filter:text compare-dest:look copy-dest:look link-dest:look M|remote-option:text B:text port:text timeout:text bwlimit:text chmod:text chown:text info:text',
    operands: 'read',
    read: readRsync,
  },
  {
    names: 'nc ncat netcat',
    does: NET,
    options:
      'e|exec:shell c|sh-exec:shell lua-exec:launch script:launch o|output:write oN:write p:text w:text i:text s:text x:text X:text',
    operands: 'text',
  },
  {
    names: 'http https xh xhs httpie',
    does: NET,
    options: 'o|output:write d|download!file_write session:write',
    operands: 'read',
    read: readHttpie,
  },
  { names: 'websocat', does: NET, operands: 'text', read: readSocat },
  { names: 'socat', does: NET, operands: 'text', read: readSocat },
  {
    names:
      'ping ping6 traceroute tracepath mtr dig nslookup host whois links lynx w3m elinks swaks iperf iperf3 redis-cli grpcurl dog drill arping hping3',
    does: NET,
    options: 'o|output:write d|download O:write w:write out:write in:read inkey:read f|file:read',
    operands: 'read',
  },
];

const HOSTS = /\b(api\.github\.com|github\.com|gitlab|bitbucket|api\.linear\.app|atlassian|slack\.com)/i;

function readCurl(call: Call, given: Arguments): void {
  if (has(given, 'O', 'remote-name-all', 'J') && !has(given, 'output-dir')) call.write(literal('.'));
  const sent = given.options.filter(({ option }) =>
    option?.names.some((name) => /^(d|data.*|json|F|form|H|header)$/.test(name)),
  );
  for (const { value } of sent) if (value && /(^|[=@<])[@<]/.test(value.text)) call.look(tail(value), true);
  const named = given.options.filter(({ option }) =>
    option?.names.some((name) => /^(data-urlencode|url-query|variable)$/.test(name)),
  );
  for (const { value } of named) {
    if (value && /[@%]/.test(value.text))
      call.look({ ...value, text: value.text.replace(/^[^@%]*[@%]/, '') }, true);
    if (value && (isSecretName(value.text) || (value.kind !== 'literal' && !value.text.includes('='))))
      call.add('secret_access');
  }
  if (given.operands.some(({ text }) => /^[^:]*[[{][^:]*:/.test(text))) call.add('secret_access');
  const socket = optionValue(given, 'unix-socket');
  if (socket && drivesEnclosure(socket)) call.add('enclosure_control', 'process_launch');
  const output = literalText(optionValue(given, 'w'));
  if (output?.includes('%output')) call.add('file_write', 'write_outside_worktree');
  const method = optionValue(given, 'X');
  const changes = method
    ? !/^(get|head|options)$/i.test(literalText(method) ?? '')
    : has(
        given,
        'd',
        'data-ascii',
        'form-string',
        'data-binary',
        'data-raw',
        'data-urlencode',
        'json',
        'F',
        'T',
      );
  if (changes) readSending(call, given);
}

/** What is sent to a provider may be any change there. */
function readSending(call: Call, { operands, options }: Arguments): void {
  const words = [...operands, ...options.flatMap(({ value }) => (value ? [value] : []))];
  if (words.some(({ text }) => HOSTS.test(text))) call.add('pr_create', 'pr_publish', 'provider_sync_write');
}

/** A socket by which containers or machines are driven. */
const drivesEnclosure = ({ kind, text }: Word): boolean =>
  kind !== 'literal' || /docker|podman|containerd|crio|libvirt|lxd|incus|buildkit/.test(text);

/** The file behind an `@` or `<`. */
const tail = (word: Word): Word => ({ ...word, text: word.text.replace(/^[\s\S]*?[@<]/, '') });

/** A command for another machine: as text in another language, and as the line of a shell that it is. */
function readSsh(call: Call, given: Arguments): void {
  readSshOptions(call, given);
  const [, ...command] = given.operands;
  if (command.length === 0) {
    readSshInput(call);
    return;
  }
  const text = joinedText(command);
  readCode(call, text);
  if (text !== null) call.shellText(text);
}

/** Without a command the input goes to a shell. */
function readSshInput(call: Call): void {
  const { input } = call.facts;
  if (input.kind === 'text') readCode(call, input.text);
  if (input.kind === 'text') call.shellText(input.text);
  if (input.kind === 'runtime') call.anything('sends a pipe to a shell');
}

function readSshOptions(call: Call, { options }: Arguments): void {
  for (const { name, value } of options) {
    if (name !== 'o' || !value) continue;
    const [, key, line] = /^(\w+)[ =]+([\s\S]*)$/.exec(value.text) ?? [];
    if (!key) call.anything('has a setting that cannot be read');
    if (key && /^(userknownhostsfile|controlpath)$/i.test(key) && line !== 'none')
      call.write(dropStart(value, value.text.length - line!.length));
    if (value.kind !== 'literal') call.anything('has a setting only known at run time');
    else if (
      key &&
      /command|pkcs11provider|securitykeyprovider|xauthlocation|include/i.test(key) &&
      line !== 'none'
    )
      call.shellText(line ?? null);
  }
}

function readFtp(call: Call): void {
  const { input } = call.facts;
  if (input.kind === 'text') readCode(call, input.text);
  if (input.kind === 'runtime') call.anything('takes its commands from a pipe');
}

const isRemote = ({ kind, text }: Word): boolean => kind === 'literal' && /^[^/]*:/.test(text);

function readRsync(call: Call, given: Arguments): void {
  const { operands } = given;
  if (operands.some((word) => isRemote(word) || word.kind === 'runtime')) call.add('network_egress');
  const target = operands.at(-1);
  const reads = given.options.some(({ name }) => name === 'read-batch');
  if (target && (reads || operands.length > 1) && !isRemote(target)) call.write(target);
}

/** Fields make it a POST. */
function readHttpie(call: Call, given: Arguments): void {
  if (
    given.operands.some(
      ({ kind, text }) =>
        kind !== 'literal' || /^(post|put|patch|delete)$/i.test(text) || /^[^/?]+:?=/.test(text),
    )
  )
    readSending(call, given);
}

function readSocat(call: Call): void {
  const text = joinedText(call.args);
  if (call.args.some(({ text }) => /\.sock\b/.test(text) && drivesEnclosure(literal(text))))
    call.add('enclosure_control');
  if (text === null || /\b(exec|system|shell|sh-c|cmd)\b/i.test(text)) call.anything('runs a command');
  else if (/\b(open|create|file|gopen|pipe)\b|\//i.test(text))
    call.add('file_write', 'write_outside_worktree');
}
