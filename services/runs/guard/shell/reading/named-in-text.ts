import type { EffectClass } from '../../../../../core-wasm/core.ts';
import { effectsOf } from '../effects.ts';

/** A text that holds all of `needs` has the classes. Every pattern takes time in line with the text. */
interface Rule {
  needs: readonly RegExp[];
  adds: readonly EffectClass[];
}

const rule = (adds: string, ...needs: RegExp[]): Rule => ({ needs, adds: effectsOf(adds) });

const GIT = /git|\bhub\b/i;
const PROVIDER = /\bgh\b|glab|\bhub\b|octokit|github|gitlab|bitbucket/i;
const INSTALLERS =
  /\b(npm|pnpm|yarn|bun|pip3?|pipx|uv|poetry|pdm|conda|mamba|cargo|gem|bundle|apt|apt-get|aptitude|brew|dnf|yum|apk|pacman|zypper|snap|nix|go|composer|deno)\b/i;

/** Ways to write, each by what shows that it is no reading. */
const WRITES = new RegExp(
  [
    ...[
      'fopen',
      'writeFile',
      'write_text',
      'write_bytes',
      'writeTextFile',
      'createWriteStream',
      'appendFile',
    ],
    ...[
      'file_put_contents',
      'Bun\\.write',
      'Deno\\.write',
      'File\\.write',
      'IO\\.write',
      'mkdir',
      'makedirs',
    ],
    ...[
      'copy_?[Ff]ile',
      'File::Copy',
      '(?<![.\\w])(copy|move)\\s*[(\'"]',
      'cpSync',
      'shutil',
      'rename',
      'symlink',
      'truncate',
      'chmod',
      'chown',
      'FileUtils',
    ],
    ...[
      '\\btouch\\b',
      '\\btee\\b',
      '\\bcp\\b',
      '\\bmv\\b',
      '\\bln\\b',
      '\\bdd\\b',
      '\\bsed\\b',
      '\\binstall\\b',
    ],
    ...['\\bos\\.open', 'openSync', 'extractall', 'savetxt', 'to_csv', 'to_json', '\\.save\\(', '\\.dump\\('],
    ...['>>', '\\bput_contents\\b', '\\bw(rite)?(lines|Sync)?\\('],
    // A mode of opening that is not reading, after the name of the file.
    ...['\\bopen\\b[^\\n;]{0,200}[\'"][rbtU]*[wax+][rwabtU+]*[\'"]', '\\bopen\\b[^\\n;]{0,200}[\'"]\\s*[+>]'],
  ].join('|'),
);

const DELETES =
  /\brm\b|\brmdir\b|unlink|rmtree|rmSync|\bfs\.rm|\bremove(dirs?|Sync)?\b|\bos\.remove|File\.delete|remove_(dir|file)|\bshred\b|deleteFile|send2trash|\bdel\b/;

/** A path that is not plainly one below the place where the text runs. */
const ELSEWHERE =
  /['"`\s=(>|]([/~]|\.\.)|\$\{?\w|homedir|expanduser|environ|\bHOME\b|tmp|tempfile|argv|\binput\b|chdir|\bcd\b|getcwd|dirname/i;

const RULES: readonly Rule[] = [
  rule('git_push network_egress', GIT, /push|send-pack|receive-pack|dcommit/i),
  rule(
    'git_commit',
    GIT,
    /commit|merge|rebase|cherry-?pick|revert|\bam\b|pull|\btag|branch|reset|update-ref|stash|notes|filter|checkout|switch|amend|worktree/i,
  ),
  rule(
    'file_write',
    GIT,
    /merge|rebase|pull|checkout|switch|restore|reset|stash|clone|apply|config|worktree|\badd\b|init|\bmv\b/i,
  ),
  rule('file_delete', GIT, /clean|checkout|switch|restore|reset|stash|\brm\b|worktree/i),
  rule('network_egress', GIT, /fetch|clone|pull|ls-remote|submodule|remote/i),
  rule('pr_create network_egress', PROVIDER, /create|new|pull-request|post|graphql|\bapi\b/i),
  rule(
    'pr_publish network_egress',
    PROVIDER,
    /merge|review|comment|close|ready|edit|release|approve|note|post|patch|put|graphql|\bapi\b/i,
  ),
  rule(
    'provider_sync_write network_egress',
    PROVIDER,
    /create|update|delete|close|edit|comment|issue|release|label|post|patch|put|graphql|\bapi\b/i,
  ),
  rule('provider_sync_write network_egress', /publish|twine|docker\s+push|kubectl|terraform/i),
  rule(
    'package_install network_egress',
    INSTALLERS,
    /\b(install|add|get|ci|i|update|upgrade|require|x|dlx|exec|sync|create|init)\b/i,
  ),
  rule('package_install network_egress', /\b(npx|bunx|uvx|easy_install|ensurepip)\b/i),
  rule('workspace_mutation network_egress', /\bcctl\b|control.center/i),
  rule(
    'enclosure_control',
    /docker|podman|nerdctl|kubectl|vagrant|virsh|qemu|\blxc|incus|multipass|firecracker|limactl|bwrap|bubblewrap|firejail|nsjail|chroot|unshare|nsenter/i,
  ),
  rule(
    'network_egress',
    /requests|urllib|https?\b|fetch\s*\(|socket|axios|curl|wget|\bssh|\bscp\b|sftp|rsync|\bnet\.|websocket|\bftp|smtp|LWP|Net::|aiohttp|\bdns|\/dev\/(tcp|udp)|telnet|\bnc\b|\bncat\b|socat|\bgh\b/i,
  ),
  rule(
    'secret_access',
    /\.ssh\b|\bid_(rsa|dsa|ecdsa|ed25519)|process\.env\b(?!\.\w)|(?<!process|meta|Bun|Deno)\.env\b(?!\.(example|sample|template))|\.aws\b|\.netrc|\.npmrc|\.pypirc|\.gnupg|\.kube\b|hosts\.yml|\.pem\b|\/etc\/g?shadow|credential|keyring|environ\b|getenv|printenv|\bENV\b|auth\s+token|keychain/i,
  ),
  rule('secret_access', /TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY/i),
  rule('file_write', WRITES),
  rule('file_delete', DELETES),
  rule('write_outside_worktree', WRITES, ELSEWHERE),
  rule('write_outside_worktree', DELETES, ELSEWHERE),
];

/** Marks of text that makes up other text to run, or hides what it names. */
const MADE_UP =
  /\beval\b|(?<![.\w])exec\s*\(|base64|b64|atob|fromCharCode|fromCodePoint|\bchr\s*\(|\bord\s*\(|unhexlify|fromhex|\\x[0-9a-f]{2}|\\u\{?[0-9a-f]{2}|\\[0-7]{3}|getattr|__import__|importlib|marshal|pickle|rot13|codecs|\[::-1\]|new\s+Function|\bvm\.|compile\s*\(|\bpack\s*[("']|\.reverse\b|\bxxd\b|openssl/i;

/** Joins of texts, which may part a name: `'gi' + 't'`. */
const JOIN = /['"`]\s{0,8}[+.,]?\s{0,8}['"`]/g;

/** The classes whose commands, functions or libraries a text names; `anything` where it hides or makes up names. */
export function namedInText(text: string): ReadonlySet<EffectClass> | 'anything' {
  if (MADE_UP.test(text)) return 'anything';
  const joined = text.replace(JOIN, '');
  const found = new Set<EffectClass>();
  for (const { needs, adds } of RULES) {
    if (needs.every((need) => need.test(text)) || needs.every((need) => need.test(joined)))
      for (const effect of adds) found.add(effect);
  }
  return found;
}
