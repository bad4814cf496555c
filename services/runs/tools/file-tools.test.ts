import { afterEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, type CalledRun, runOfCalls } from './test-calls.ts';

let run: CalledRun;
afterEach(() => run.bench.close());

/** One transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const shell = (command: string): Call => ['run_command', { command }];
const put = (path: string, bytes: Buffer) => shell(`echo ${bytes.toString('base64')} | base64 -d > ${path}`);
const write = (path: string, content: string): Call => ['write_file', { path, content }];
const read = (path: string, more = {}): Call => ['read_file', { path, ...more }];

const contents = () => run.results.map(({ content }) => content);

describe('read_file', () => {
  test('shows an image and a PDF, kept by their digests before the entry that names them', async () => {
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer <<>>\n%%EOF\n');
    run = await runOfCalls([
      put('a.png', PNG),
      put('copy.txt', PNG),
      put('b.pdf', pdf),
      read('a.png'),
      read('copy.txt'),
      read('b.pdf'),
    ]);
    const [image, copy, document] = run.results.slice(3);
    expect(image?.content).toBe(`a.png (image/png, 1×1 pixels, ${PNG.length} bytes) follows.`);
    const digest = createHash('sha256').update(PNG).digest('hex');
    expect(image?.media).toEqual([{ mediaType: 'image/png', file: `${digest}.png`, bytes: PNG.length }]);
    expect(copy?.media).toEqual(image?.media);
    expect(readFileSync(join(run.folder, `${digest}.png`))).toEqual(PNG);
    expect(document).toMatchObject({
      isError: false,
      media: [{ mediaType: 'application/pdf', bytes: pdf.length }],
    });
  });

  test('refuses what a model server would refuse, and says how to mend it', async () => {
    const [cut, wide] = [PNG.subarray(0, 40), Buffer.from(PNG)];
    wide.writeUInt32BE(9_000, 16);
    run = await runOfCalls([
      ...[
        put('cut.png', cut),
        put('wide.png', wide),
        put('locked.pdf', Buffer.from('%PDF-1.7 /Encrypt 5 0 R %%EOF')),
      ],
      ...[shell(`(base64 -d <<< ${PNG.toString('base64')}; head -c 4000000 /dev/zero) > big.png`)],
      ...['cut.png', 'wide.png', 'locked.pdf', 'big.png'].map((path) => read(path)),
    ]);
    const refused = run.results.slice(4);
    expect(refused.map(({ isError, media }) => [isError, media])).toEqual(Array(4).fill([true, undefined]));
    const [damaged, pixels, locked, big] = refused.map(({ content }) => content);
    expect(damaged).toContain('damaged or cut off');
    expect(pixels).toMatch(/9000×1 pixels, and 8000 is the most .* Shrink it first/);
    expect(locked).toContain('is encrypted');
    expect(big).toMatch(/has 4000070 bytes, and 3932160 is the most .* Shrink it first/);
  });

  test('gives a long text in parts that meet, each with its place', async () => {
    const text = Array.from({ length: 4_000 }, (_, n) => `line ${n + 1}`).join('\n');
    run = await runOfCalls([
      write('long.txt', text),
      read('long.txt'),
      read('long.txt', { startLine: 2_001 }),
      read('long.txt', { startLine: 3_999 }),
    ]);
    const [first = '', second = '', last = ''] = contents().slice(1);
    expect(first).toEndWith(
      `\nline 2000\n(lines 1–2000 of 4000 of long.txt, ${text.length} bytes in all; read on with startLine 2001)`,
    );
    expect(second).toStartWith('line 2001\n');
    expect(last).toBe(
      `line 3999\nline 4000\n(lines 3999–4000 of 4000 of long.txt, ${text.length} bytes in all)`,
    );
  });

  test('gives one endless line in parts too', async () => {
    run = await runOfCalls([
      write('min.js', 'x'.repeat(60_000)),
      read('min.js'),
      read('min.js', { startColumn: 28_001 }),
    ]);
    const [first = '', second = ''] = contents().slice(1);
    expect(first).toContain('line 1 goes on: read on with startLine 1, startColumn 28001');
    expect(second).toContain('startColumn 56001');
  });
});

describe('a file that somebody changed since the run read it', () => {
  test('is not overwritten, edited only where the text fits, and free again once it was read', async () => {
    run = await runOfCalls([
      ...[read('README.md'), shell('echo three >> README.md'), write('README.md', 'mine\n')],
      ...[
        ['edit_file', { path: './README.md', oldText: 'one', newText: 'ONE' }] as Call,
        write('README.md', 'mine\n'),
      ],
      ...[read('README.md'), write('README.md', 'mine\n'), write('README.md', 'mine again\n')],
    ]);
    const [, , refused, edited, refusedAgain, now, ...written] = run.results;
    for (const result of [refused, refusedAgain]) {
      expect(result).toMatchObject({ isError: true });
      expect(result?.content).toMatch(
        /README.md has changed since you last read or wrote it.* Nothing was written/,
      );
    }
    expect(edited).toMatchObject({ isError: false });
    expect(edited?.content).toMatch(/^Changed .* at line 1\. The file had been changed since/);
    expect(now?.content).toBe('ONE\ntwo\nthree\n');
    expect(written.map(({ isError }) => isError)).toEqual([false, false]);
  });

  test('is one that the run has read: what it never saw it may write', async () => {
    run = await runOfCalls([
      write('README.md', 'new\n'),
      ['edit_file', { path: 'README.md', oldText: 'new', newText: 'newer' }],
    ]);
    expect(contents()).toEqual(['Replaced README.md (4 bytes).', 'Changed README.md at line 1.']);
  });
});

test('lists and searches say what they leave out', async () => {
  run = await runOfCalls([
    shell(
      'mkdir many; for i in $(seq 100 399); do echo "word $i" > many/$i.txt; done; seq 100 | sed s/^/word/ > few.txt',
    ),
    ...([
      ['list_files', { path: 'many', limit: 3 }],
      ['list_files', { glob: '*.none' }],
    ] as Call[]),
    ...([
      ['search_files', { pattern: 'word', path: 'few.txt' }],
      ['search_files', { pattern: 'word 10', filesOnly: true, limit: 2 }],
    ] as Call[]),
    ...([
      ['search_files', { pattern: 'word7$', context: 1 }],
      ['search_files', { pattern: 'absent' }],
    ] as Call[]),
  ]);
  const [listed, none, lines, files, around, absent] = contents().slice(1);
  expect(listed).toBe(
    'many/100.txt\nmany/101.txt\nmany/102.txt\n(3 of 300 files, in the order of their paths; narrow path or glob, or raise limit)',
  );
  expect(none).toBe('(no files)');
  expect(lines).toEndWith(
    'few.txt:50: word50\n(at least 50 matching lines in 1 file; more in few.txt: raise perFile)',
  );
  expect(files).toBe(
    'many/100.txt: 1\nmany/101.txt: 1\n(at least 2 matching lines in 2 files; the limit was reached, so there are more: narrow the search or raise limit)',
  );
  expect(around).toBe('few.txt-6- word6\nfew.txt:7: word7\nfew.txt-8- word8\n(1 matching line in 1 file)');
  expect(absent).toBe('(no match)');
});
