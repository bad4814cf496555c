import { posix } from 'node:path';
import { type Arguments, has, optionValue } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { moved } from '../reading/paths.ts';
import { certainStart, dropStart, literal, literalText } from '../words/word.ts';
import type { Program } from './program.ts';

/** Programs that make, change, move or delete files. */
export const FILES: readonly Program[] = [
  { names: 'rm srm', options: 'i I? r R f d v interactive?:text', operands: 'delete' },
  { names: 'rmdir unlink trash trash-put del rimraf', operands: 'delete' },
  {
    names: 'shred',
    does: 'file_write',
    options: 'n|iterations:text s|size:text random-source:look u|remove?:text!file_delete',
    operands: 'delete',
  },
  {
    names: 'gio',
    commands: {
      'trash remove': { operands: 'delete' },
      'info list tree monitor mime help version': '',
      cat: { operands: 'read' },
      'copy move save mkdir rename set': { does: 'file_write file_delete', operands: 'write' },
      'open launch mount': 'process_launch network_egress',
    },
    bare: '',
  },
  {
    names: 'mv',
    options: 't|target-directory:write S|suffix:text b backup?:text f i n u update?:text',
    operands: 'move',
    last: 'write',
    read: (call) => call.add('file_write', 'file_delete'),
  },
  {
    names: 'cp',
    options:
      't|target-directory:write S|suffix:text b backup?:text a r R f i n p s l L P H u v reflink?:text sparse:text preserve?:text no-preserve:text update?:text symbolic-link link',
    operands: 'read',
    last: 'write',
    read: readCopy,
  },
  {
    names: 'install ginstall',
    does: 'file_write',
    options:
      'd|directory t|target-directory:write m|mode:text o|owner:text g|group:text S|suffix:text s strip-program:shell b backup?:text D C p v T',
    operands: 'read',
    last: 'write',
    read: (call, given) => {
      if (has(given, 'd')) for (const folder of given.operands) call.write(folder);
    },
  },
  {
    names: 'ln link symlink',
    options: 't|target-directory:write S|suffix:text b backup?:text s|symbolic f n r|relative v',
    operands: 'text',
    read: readLink,
  },
  { names: 'mkdir', options: 'm|mode:text p v Z?:text', operands: 'write' },
  { names: 'touch', options: 'r|reference:look d|date:text t:text a c m time:text', operands: 'write' },
  { names: 'mkfifo mknod', options: 'm|mode:text', operands: 'write text' },
  { names: 'truncate', options: 's|size:text r|reference:look o c', operands: 'write' },
  { names: 'fallocate', options: 'l|length:text o|offset:text', operands: 'write' },
  { names: 'tee sponge', options: 'a i p output-error?:text', operands: 'write' },
  {
    names: 'chmod chown chgrp chattr setfacl setfattr xattr chcon',
    options: 'reference:look from:text m|modify:text R f h n|name:text',
    does: 'file_write',
    operands: 'write',
  },
  {
    names: 'mktemp',
    options: 'u|dry-run d q p:write tmpdir?:write t suffix:text',
    operands: 'write',
    read: readTemporary,
  },
  { names: 'dd', operands: 'text', read: readDd },
  {
    names: 'patch',
    does: 'file_write file_delete',
    options:
      'i|input:read o|output:write d|directory:write r|reject-file:write B|prefix:text p|strip:text F|fuzz:text D|ifdef:text V:text Y:text z|suffix:text g:text e|ed!process_launch b R N s t f',
    operands: 'write read',
  },
  {
    names: 'split',
    does: 'file_write',
    options: 'filter:shell a:text b:text C:text l:text n:text t:text additional-suffix:text d x e',
    operands: 'read write',
  },
  {
    names: 'csplit',
    does: 'file_write',
    options: 'f|prefix:write b:text n:text k s z',
    operands: 'read text',
  },
  { names: 'dos2unix unix2dos', does: 'file_write', operands: 'write' },
  { names: 'rename prename mmv', does: 'file_write file_delete process_launch', operands: 'code write' },
  { names: 'iconv', options: 'o|output:write f:text t:text', operands: 'read' },
  {
    names: 'ex vi vim nvim view gvim rvim vimdiff ed red',
    does: 'process_launch file_write',
    operands: 'write',
    options: 'c:code cmd:code S:launch s e E u:launch i:look w:write W:write',
    read: readEditor,
  },
  {
    names: 'emacs emacsclient',
    does: 'process_launch file_write',
    operands: 'write',
    singleDash: true,
    options:
      'eval:code execute:code e:code l:launch load:launch f:anything funcall:anything batch script:launch',
    read: readEditor,
  },
  {
    names: 'nano pico micro helix hx kak joe code subl',
    does: 'process_launch file_write',
    operands: 'write',
  },
];

/** Where a link leads is seen from the folder that it is in; its name may be that of a folder, in which it is then made. */
function readLink(call: Call, given: Arguments): void {
  const [target, link, more] = given.operands;
  if (!target || !link || more || !has(given, 's', 'symbolic') || has(given, 't', 'r')) {
    for (const word of given.operands) call.write(word);
    if (given.operands.some(({ text }) => /(^|\/)\.\.(\/|$)/.test(text))) call.add('write_outside_worktree');
    return;
  }
  call.write(link);
  const { places } = call.facts;
  const folders = [link, { ...link, text: posix.dirname(link.text) }];
  for (const folder of folders) call.with({ places: moved(folder, places) }).write(target);
}

function readCopy(call: Call, given: Arguments): void {
  if (!has(given, 's', 'l', 'symbolic-link', 'link')) return;
  for (const word of given.operands) call.write(word);
}

function readTemporary(call: Call, given: Arguments): void {
  if (has(given, 'u')) return;
  call.add('file_write');
  const isElsewhere = given.options.some(({ option, value }) => option?.names.includes('tmpdir') && !value);
  const isNamed = given.operands.length > 0 || optionValue(given, 'p', 'tmpdir');
  if (!isNamed || has(given, 't') || isElsewhere) call.write(literal('/tmp'));
}

function readDd(call: Call): void {
  for (const word of call.args) {
    const start = certainStart(word);
    const equals = start.indexOf('=');
    if (equals < 0 && word.kind !== 'literal') call.write({ ...word, kind: 'runtime', text: '' });
    if (start.startsWith('of=')) call.write(dropStart(word, equals + 1));
    if (start.startsWith('if=')) call.look(dropStart(word, equals + 1), true);
  }
}

/** Commands of an editor may be in its input, or behind a plus sign; those with `!` run. */
function readEditor(call: Call, given: Arguments): void {
  const { input } = call.facts;
  if (input.kind === 'runtime') call.anything('takes its commands from a pipe');
  const texts = given.operands.map(literalText).filter((text) => text?.startsWith('+'));
  const codes = given.options
    .filter(({ option }) => option?.role === 'code')
    .map(({ value }) => literalText(value));
  const all = [...texts, ...codes, input.kind === 'text' ? input.text : ''].join('\n');
  if (/!|\b(sh|call|execute|source|so|py|lua|perl|ruby|term|shell|grep|make)\b/.test(all))
    call.anything('may run commands');
  if (/(^|[^\w])(w|W|wr\w*|wq|sav\w*|up\w*|f|file|e|edit)\s+\S*(\.\.|[/~$%])/m.test(all))
    call.add('write_outside_worktree');
}
