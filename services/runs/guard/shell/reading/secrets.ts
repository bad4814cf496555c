import type { Word } from '../words/word.ts';

/** Paths, or ends of paths, that hold keys, tokens or passwords. */
const PLACES: readonly RegExp[] = [
  /(^|\/)\.ssh(\/|$)/,
  /(^|\/)\.env(rc)?(\.(?!example$|sample$|template$|dist$|defaults$)[\w.-]*)?$/,
  /(^|\/)[\w.-]+\.env$/,
  /(^|\/)\.(aws|azure|gnupg|kube|password-store)(\/|$)/,
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)\.config\/(gh|glab-cli|gcloud|hub|op|rclone)(\/|$)/,
  /(^|\/)\.(netrc|npmrc|pypirc|pgpass|my\.cnf|git-credentials|yarnrc\.yml|vault-token|htpasswd)$/,
  /(^|\/)\.(cargo\/credentials|gem\/credentials|m2\/settings\.xml|terraform\.d\/credentials)/,
  /(^|\/)id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|p12|pfx|jks|keystore|kdbx|ppk|key)$/,
  /(^|\/)(credentials(\.json)?|secrets?\.(json|ya?ml|toml|env)|service-account[\w-]*\.json)$/,
  /^\/etc\/(g?shadow|sudoers|ssl\/private)/,
  /(^|\/)proc\/[^/]+\/(environ|mem)$/,
  /(^|\/)(owner-token(\.[\w.-]+)?|login\.keychain(-db)?)$/,
];

/** Files that a pattern is held against, since it may name them without their name. */
const SAMPLES = [
  ...['.env', '.env.local', '.netrc', '.npmrc', '.pypirc', '.git-credentials', 'id_rsa', 'id_ed25519'],
  ...['key.pem', 'secrets.yaml', '.ssh/id_rsa', '.ssh/config', '.aws/credentials', '.gnupg/secring.gpg'],
  ...['.kube/config', '.config/gh/hosts.yml', '.docker/config.json', 'etc/shadow', 'proc/1/environ'],
].map((path) => path.split('/'));

const MAX_ENDS = 64;

const SECRET_NAME =
  /(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_KEY|PRIVATE_KEY|AUTH_KEY)/i;

/** The name of a variable that by its name holds a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Whether a word names a place of secrets, alone or behind a sign such as the `@` of `-d @file`. */
export function namesSecret(word: Word): boolean {
  const path = word.text.replace(/\/+/g, '/').replace(/\/\.(?=\/)/g, '');
  const ends = [path, ...path.split(/[=:@,]/).slice(1)];
  if (ends.length > MAX_ENDS) return true;
  if (ends.some((end) => PLACES.some((place) => place.test(end)))) return true;
  return word.kind === 'glob' && ends.some(matchesSample);
}

function matchesSample(pattern: string): boolean {
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  return SAMPLES.some((sample) => {
    if (segments.length < sample.length) return false;
    const tail = segments.slice(-sample.length);
    return /[^*?]/.test(tail.join('')) && sample.every((name, i) => matches(tail[i]!, name));
  });
}

/** Only short patterns are tried: the names are short, and a long pattern takes long to fail. */
function matches(pattern: string, name: string): boolean {
  if (!/[*?[]/.test(pattern)) return pattern === name;
  if (pattern.length > 40 || (pattern.startsWith('*') && name.startsWith('.'))) return false;
  // A set of characters may hold any of them.
  const source = pattern
    .replace(/\[[^\]]*\]/g, '?')
    .replace(/\*+/g, '*')
    .replace(/[.+^${}()|\\[\]]/g, '\\$&')
    .replace(/\?/g, '.')
    .replace(/\*/g, '.*');
  return new RegExp(`^${source}$`).test(name);
}
