import { type Arguments, has, optionValue } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { literal, literalText, type Word } from '../words/word.ts';
import type { Program } from './program.ts';

/** Programs that pack and unpack. */
export const ARCHIVES: readonly Program[] = [
  {
    names: 'tar gtar bsdtar',
    options:
      'f|file:text C|directory:text T|files-from:read X|exclude-from:read exclude:text to-command:shell I|use-compress-program:shell checkpoint-action:anything checkpoint?:text info-script:shell F:shell new-volume-script:shell rsh-command:shell rmt-command:shell g|listed-incremental:write index-file:write remove-files!file_delete recursive-unlink!file_delete unlink-first!file_delete strip-components:text transform|xform:text s:text owner:text group:text mode:text mtime:text b:text H:text volno-file:write one-top-level?:write sort:text c|create x|extract|get t|list r|append u|update d|diff|compare A|catenate delete P|absolute-names!write_outside_worktree',
    operands: 'read',
    read: readTar,
  },
  {
    names: 'unzip',
    options: 'd:write l|list t p c Z v q o n j x:text P:text',
    operands: 'read text',
    read: (call, given) => {
      const [archive] = given.operands;
      if (archive && !has(given, 'l', 't', 'p', 'c', 'Z', 'v'))
        call.write(optionValue(given, 'd') ?? literal('.'));
    },
  },
  {
    names: 'zip',
    options:
      'm|move!file_delete T unzip-command:shell b|temp-path:write O|out|output-file:write logfile-path:write x:text i:text r q j P:text',
    operands: 'write read',
    read: readZip,
  },
  {
    names: 'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 lzma unlzma compress uncompress pigz brotli',
    options:
      'c|stdout|to-stdout l|list t|test o:write output-dir-flat:write output-dir-mirror:write S|suffix:text k d f q v T:text',
    operands: 'read',
    read: readCompress,
  },
  {
    names: '7z 7za 7zz rar unrar',
    does: 'file_write file_delete',
    options: 'o?:write w?:write p?:text',
    operands: 'text write',
  },
  { names: 'ar', does: 'file_write', options: 'output:write plugin:launch', operands: 'text write' },
  { names: 'ranlib', does: 'file_write', options: 'plugin:launch', operands: 'write' },
  {
    names: 'cpio pax',
    does: 'file_write write_outside_worktree',
    options: 'rsh-command:shell to-stdout F:read O:write',
    operands: 'write',
  },
];

/** Options of two letters: a command that tests the archive, and a log. */
function readZip(call: Call): void {
  for (const [i, { text }] of call.args.entries()) {
    const next = call.args[i + 1];
    if (/^-\w*TT/.test(text)) call.anything('runs a command on what it packs');
    if (/^-\w*lf$/.test(text) && next) call.write(next);
  }
}

/** The old way of writing gives the letters without a dash, and their values in their order. */
function readTar(call: Call, given: Arguments): void {
  const [letters] = given.operands;
  const old = call.args[0] === letters ? (literalText(letters) ?? '') : '';
  const isOld = /^[A-Za-z]+$/.test(old);
  const mode = (...names: string[]) =>
    has(given, ...names) || (isOld && names.some((name) => name.length === 1 && old.includes(name)));
  if (isOld && /[IFTg]/.test(old)) call.anything('gives values to letters without a dash');
  const rest = isOld ? given.operands.slice(1) : given.operands;
  const archive = optionValue(given, 'f') ?? (isOld && old.includes('f') ? (rest[0] ?? null) : null);
  if (archive && /^[^/]+:/.test(archive.text)) call.add('network_egress', 'process_launch');
  if (mode('c', 'r', 'u', 'A', 'delete') && archive && literalText(archive) !== '-') call.write(archive);
  else if (archive) call.look(archive, true);
  if (mode('x')) for (const folder of foldersOf(given)) call.write(folder);
  if (mode('x') && mode('P')) call.add('write_outside_worktree');
}

function foldersOf({ options }: Arguments): Word[] {
  const folders = options.flatMap(({ option, value }) =>
    option?.names.includes('C') && value ? [value] : [],
  );
  return folders.length > 0 ? folders : [literal('.')];
}

/** The packed file takes the place of the other, unless the result is printed. */
function readCompress(call: Call, given: Arguments): void {
  if (has(given, 'c', 'l', 't')) return;
  for (const file of given.operands) {
    call.write(file);
    if (!has(given, 'k')) call.remove(file);
  }
}
