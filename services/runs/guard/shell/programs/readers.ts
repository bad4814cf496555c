import { type Arguments, has } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { isSecretName } from '../reading/secrets.ts';
import { literalText } from '../words/word.ts';
import type { Program } from './program.ts';

/** Programs that show what is in files or what they are given. */
export const READERS: readonly Program[] = [
  {
    names:
      'cat tac nl rev cut paste fold fmt pr expand unexpand column colrm od hexdump hd strings base32 basenc diff diff3 colordiff zcat bzcat xzcat zless zmore more most tsort csvcut csvgrep csvlook csvjson glow difft comm xz-info hexyl',
    operands: 'read',
  },
  {
    names: 'shuf base64 zstdcat highlight',
    options: 'o|output:write O|outdir:write i|input-range:look random-source:look w|wrap:text n:text',
    operands: 'read',
    wordsAreOperands: true,
  },
  {
    names: 'pygmentize',
    options: 'o:write l:text f:text x!process_launch',
    operands: 'read',
    wordsAreOperands: true,
  },
  { names: 'ptx', options: 'o:read i:read', operands: 'read write' },
  { names: 'head tail', options: 'n|lines:text c|bytes:text f q v s:text pid:text F z', operands: 'read' },
  { names: 'join', options: 'a:text e:text o:text t:text v:text 1:text 2:text j:text', operands: 'read' },
  {
    names: 'tr seq expr sleep basename dirname factor numfmt bc yes cal ncal figlet cowsay',
    operands: 'text',
  },
  {
    names: 'sort gsort',
    options:
      'o|output:write compress-program:shell T|temporary-directory:write files0-from:read random-source:look k|key:text t|field-separator:text S|buffer-size:text parallel:text batch-size:text sort:text check?:text',
    operands: 'read',
  },
  { names: 'uniq', options: 'f:text s:text w:text', operands: 'read write' },
  { names: 'xxd', options: 'l:text s:text c:text g:text o:text n:text', operands: 'read write' },
  { names: 'sdiff', options: 'o|output:write diff-program:shell w:text', operands: 'read' },
  {
    names: 'less',
    options: 'o|log-file:write O:write k:launch lesskey-src:launch p:text j:text x:text z:text t:text',
    operands: 'read',
    read: readLess,
  },
  {
    names: 'bat batcat',
    options: 'pager:shell l:text r:text H:text style:text theme:text',
    operands: 'read',
  },
  {
    names: 'man',
    options:
      'P|pager:shell H|html?:shell X|gxditview?!process_launch C|config-file:launch preprocessor:text M:text L:text s:text',
    operands: 'text',
  },
  {
    names: 'grep egrep fgrep ggrep zgrep bzgrep xzgrep',
    options:
      'e|regexp:text f|file:read A|after-context:text B|before-context:text C|context:text m|max-count:text color?:text colour?:text include:text exclude:text exclude-from:read exclude-dir:text label:text d|directories:text D|devices:text binary-files:text',
    operands: 'text read',
    read: readFirstToo,
  },
  {
    names: 'rg',
    options:
      'e|regexp:text f|file:read pre:shell hostname-bin:shell g|glob:text iglob:text pre-glob:text t|type:text T|type-not:text type-add:text A|after-context:text B|before-context:text C|context:text m|max-count:text r|replace:text j|threads:text M|max-columns:text d|max-depth:text E|encoding:text sort:text sortr:text color:text colors:text engine:text ignore-file:look max-filesize:text path-separator:text',
    operands: 'text read',
    read: readFirstToo,
  },
  {
    names: 'ag ack ack-grep',
    options: 'pager:shell G:text A:text B:text C:text m:text ackrc:launch',
    operands: 'text read',
  },
  {
    names: 'fzf sk',
    options: 'preview:shell bind:anything with-shell:anything execute:anything q:text',
    operands: 'text',
  },
  {
    names: 'pandoc',
    options:
      'o|output:out F|filter:shell L|lua-filter:launch pdf-engine:shell extract-media:write log:write d|defaults:anything t|to|w|write:look f|from|r|read:look template:look',
    operands: 'url',
    read: (call, given) => {
      if (given.options.some(({ value }) => /\.lua$/.test(value?.text ?? ''))) call.add('process_launch');
      for (const word of given.operands) call.look(word, true);
      if (given.operands.some(({ text }) => /^\w+:\/\//.test(text))) call.add('network_egress');
    },
  },
  {
    names: 'xmllint xsltproc',
    options: 'o|output:write shell!process_launch,file_write,write_outside_worktree writesubtree:write',
    operands: 'read',
    read: (call, { operands }) => {
      if (operands.some(({ text }) => /^\w+:\/\//.test(text))) call.add('network_egress');
    },
  },
  {
    names: 'tidy',
    options: 'o|output:write output-file:write f|file:write config:look m|modify',
    operands: 'read',
    singleDash: true,
    read: (call, given) => {
      if (has(given, 'm')) for (const file of given.operands) call.write(file);
    },
  },
];

/** Programs that tell of files and of the machine, but not what is in files. */
export const LOOKERS: readonly Program[] = [
  {
    names:
      'ls dir vdir ll exa eza lsd stat file df md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5 realpath readlink pathchk namei locate which whereis cmp tokei lsof uptime id whoami logname uname arch nproc free vmstat iostat w who users last groups locale tty tput clear reset lscpu lsblk lsusb lspci dmesg pgrep pidof pstree top htop netstat units getconf pwdx numastat lsmod sw_vers duf',
    operands: 'look',
  },
  { names: 'size nm objdump readelf otool', options: 'plugin:launch', operands: 'look' },
  { names: 'wc du', options: 'files0-from:look', operands: 'look', wordsAreOperands: true },
  { names: 'scc ncdu', options: 'o|output:write', operands: 'look' },
  {
    names: 'cloc',
    options:
      'out:write report-file:write ignored:write counted:write found:write categorized:write write-lang-def:write write-lang-def-incl-dup:write extract-with:shell config:anything list-file:read',
    operands: 'look',
  },
  {
    names: 'exiftool identify mediainfo ffprobe',
    does: 'process_launch',
    options: 'o|out:write write:write logfile:write config:launch if:code p:code',
    operands: 'write',
    singleDash: true,
    read: readMedia,
  },
  {
    names: 'getent',
    operands: 'text',
    read: (call) => {
      if (!/^(passwd|group|shadow|services|protocols)$/.test(literalText(call.args[0]) ?? ''))
        call.add('network_egress');
    },
  },
  { names: 'ss', options: 'K|kill!process_launch D|diag:write F|filter:read', operands: 'text' },
  { names: 'tree', options: 'o:write L:text P:text I:text', operands: 'look' },
  {
    names: 'ps',
    operands: 'text',
    read: (call) => call.args.some(({ text }) => /^[a-z]*e[a-z]*$/.test(text)) && call.add('secret_access'),
  },
  {
    names: 'date gdate',
    options: 's|set:text!process_launch d|date:text f|file:read r|reference:look I?:text',
    operands: 'text',
  },
  {
    names: 'hostname domainname sysctl stty ip ifconfig route arp timedatectl hostnamectl',
    operands: 'text',
    read: readSetting,
  },
  { names: 'printenv', operands: 'text', read: readEnvironment },
  {
    names: 'journalctl',
    options:
      'rotate!process_launch vacuum-size:text!file_delete vacuum-time:text!file_delete vacuum-files:text!file_delete cursor-file:write',
    operands: 'text',
  },
  { names: 'fuser', options: 'k|kill!process_launch', operands: 'look' },
  { names: 'ldd ldconfig', does: 'process_launch' },
];

/** With the pattern in an option, the first operand is a file as well. */
function readFirstToo(call: Call, given: Arguments): void {
  if (has(given, 'e', 'f', 'files') && given.operands[0]) call.look(given.operands[0], true);
}

function readLess(call: Call, { operands }: Arguments): void {
  if (operands.some(({ text }) => /^\+.*[!|#s]/.test(text))) call.anything('may run commands');
}

const SETS =
  /^(s|se|set.*|-w|--write|-p|--load|--system|ad?d?|del?|delete|ch?|cha\w*|re?|rep\w*|fl?|flu\w*|netns|-F|-b|-batch|--boot|up|down|-?arp|-?promisc)$/;

/** Shows, unless told to set. */
function readSetting(call: Call): void {
  const [first] = call.args;
  const named =
    /^(hostname|domainname|stty)$/.test(call.name) && first !== undefined && !first.text.startsWith('-');
  if (named || call.args.some(({ kind, text }) => kind !== 'literal' || SETS.test(text) || /\w=/.test(text)))
    call.add('process_launch');
  if (call.args.some(({ text }) => /^(netns|vrf)$/.test(text)))
    call.anything('may run commands in a network of its own');
}

/** Names of formats, addresses and expressions among the operands make these write, fetch and run. */
function readMedia(call: Call, { operands }: Arguments): void {
  if (operands.some(({ text }) => /^\w+:\/\//.test(text))) call.add('network_egress');
  if (
    operands.some(({ text }) => /^(msl|ephemeral|vid|plt|https?|ftp|text|label|caption|pango):/i.test(text))
  )
    call.anything('names a format that may do anything');
}

/** All of the environment, or variables by name. */
function readEnvironment(call: Call, { operands }: Arguments): void {
  const names = operands.map(literalText);
  if (names.length === 0 || names.some((name) => name === null || isSecretName(name)))
    call.add('secret_access');
}
