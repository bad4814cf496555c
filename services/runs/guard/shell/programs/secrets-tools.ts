import { has } from '../reading/arguments.ts';
import { literalText } from '../words/word.ts';
import type { Program } from './program.ts';

const SECRET = 'secret_access';

/** Programs that keep keys and passwords. */
export const SECRET_TOOLS: readonly Program[] = [
  {
    names: 'gpg gpg2 gpgsm',
    options:
      'o|output:out export-secret-keys!secret_access export-secret-subkeys!secret_access d|decrypt!secret_access s|sign clearsign detach-sign b e|encrypt r|recipient:text u|local-user:text import!file_write delete-keys!file_delete delete-secret-keys!file_delete,secret_access recv-keys!network_egress send-keys!network_egress,provider_sync_write search-keys!network_egress refresh-keys!network_egress passphrase-file:read passphrase:text homedir:text keyserver:text photo-viewer:shell agent-program:shell exec-path:anything batch yes a|armor c|symmetric verify k|list-keys K|list-secret-keys fingerprint export status-file:write logger-file:write log-file:write attribute-file:write options:launch locate-keys!network_egress auto-key-retrieve!network_egress',
    operands: 'read',
    read: (call, given) => {
      if (has(given, 'o', 'verify', 'k', 'K', 'fingerprint', 'export')) return;
      for (const file of given.operands) call.write(file);
    },
  },
  { names: 'gpg-connect-agent', does: `${SECRET} process_launch` },
  { names: 'age rage', does: SECRET, options: 'o|output:out i|identity:read', operands: 'read' },
  {
    names: 'sops',
    does: `${SECRET} network_egress`,
    options: 'o|output:out i|in-place d|decrypt e|encrypt',
    operands: 'read',
    read: (call, given) => {
      if (/^exec-/.test(literalText(given.operands[0]) ?? 'exec-'))
        call.shellText(literalText(given.operands.at(-1)));
      else if (has(given, 'i')) for (const file of given.operands) call.write(file);
      else if (!has(given, 'd', 'decrypt', 'e', 'encrypt')) call.add('file_write', 'process_launch');
    },
  },
  {
    names:
      'pass gopass op bw lpass keepassxc-cli vault bao security secret-tool kwallet-query keyring doppler infisical chamber aws-vault teller envchain keychain',
    does: `${SECRET} network_egress process_launch`,
    operands: 'text',
    read: (call) => {
      const at = call.args.findIndex((word) => literalText(word) === '--' || literalText(word) === 'exec');
      const rest = call.args.slice(at + 1);
      if (at >= 0)
        call.command(
          rest[0] && literalText(call.args[at]) === 'exec' && rest[1]
            ? rest.slice(rest[1].text === '--' ? 2 : 1)
            : rest,
        );
    },
  },
  {
    names: 'ssh-add',
    does: SECRET,
    options: 'l L d!file_delete D!file_delete t:text s:anything S:anything',
    operands: 'look',
  },
  {
    names: 'ssh-keygen',
    does: 'file_write write_outside_worktree secret_access',
    options: 'f:look D:anything w:anything N:text P:text C:text t:text b:text',
    operands: 'text',
  },
  {
    names: 'ssh-copy-id',
    does: 'network_egress process_launch',
    options: 'i:look o:anything F:launch',
    operands: 'text',
  },
  { names: 'ssh-keyscan', does: 'network_egress', options: 'f:read', operands: 'text' },
  {
    names: 'openssl',
    operands: 'read',
    options:
      'out:write in:read inkey:read key:read keyout:write writerand:write CAserial:write signature:read engine:anything provider:anything config:launch',
    singleDash: true,
    read: (call, given) => {
      if (/^(s_client|s_server|ocsp|cmp)$/.test(literalText(given.operands[0]) ?? ''))
        call.add('network_egress', 'process_launch');
      if (/^(req|rehash|ca|x509|s_time|storeutl)$/.test(literalText(given.operands[0]) ?? ''))
        call.add('file_write');
      if (/^s_time$/.test(literalText(given.operands[0]) ?? '')) call.add('network_egress');
      if (given.uncertain || has(given, 'rand')) call.add('file_write', 'write_outside_worktree');
    },
  },
];
