import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createTestReview, finding, type Json, type TestReview } from './test-review.ts';

let bench: TestReview;
beforeAll(async () => {
  bench = await createTestReview();
});
afterAll(() => bench.close());

let number = 200;
const LINES = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`);
const text = (lines: string[]) => lines.map((line) => `${line}\n`).join('');
const changed = (at: number, line: string, lines = LINES) =>
  lines.map((old, i) => (i === at - 1 ? line : old));

async function review(pull: Json = {}): Promise<Json> {
  number += 1;
  bench.github.open({
    number,
    base: { 'a.ts': text(LINES) },
    head: { 'a.ts': text(changed(30, 'changed')) },
    ...pull,
  });
  return bench.ok('POST', '', {
    ...{ url: `${bench.github.url}/acme/shop/pull/${number}`, agents: [bench.author.slice(6)] },
  });
}

async function note(id: string, anchor: Json): Promise<string> {
  return (await bench.ok('POST', `/${id}/findings`, finding({ anchor }), bench.author)).finding.id;
}

async function refreshed(id: string): Promise<{ view: Json; place: (findingId: string) => Json }> {
  const view = await bench.ok('POST', `/${id}/refresh`);
  return { view, place: (findingId) => view.findings.find((one: Json) => one.id === findingId).place };
}

test('anchors go with their lines; a changed line is outdated and its finding stays', async () => {
  const { id, headSha: first } = await review();
  const anchors = {
    above: await note(id, { path: 'a.ts', startLine: 5, endLine: 6 }),
    below: await note(id, { path: 'a.ts', startLine: 50 }),
    changed: await note(id, { path: 'a.ts', startLine: 29, endLine: 31 }),
    left: await note(id, { path: 'a.ts', startLine: 30, side: 'LEFT' }),
    elsewhere: await note(id, { path: 'b.ts', startLine: 1 }),
    whole: await note(id, null),
  };
  const lines = ['new top', ...changed(30, 'changed again', changed(12, 'x'))];
  const headSha = bench.github.push(number, { files: { 'a.ts': text(lines) } });
  const { view, place } = await refreshed(id);
  expect(view).toMatchObject({ headSha, findings: { length: 6 } });
  expect(place(anchors.above)).toMatchObject({ startLine: 6, endLine: 7, state: 'moved', sha: headSha });
  expect(place(anchors.below)).toMatchObject({ startLine: 51, endLine: 51, state: 'moved' });
  expect(place(anchors.changed)).toMatchObject({ startLine: 29, endLine: 31, state: 'outdated', sha: first });
  expect(place(anchors.left)).toMatchObject({ startLine: 30, side: 'LEFT', state: 'current' });
  expect(place(anchors.elsewhere)).toMatchObject({ startLine: 1, state: 'current' });
  expect(place(anchors.whole)).toBeNull();
  const [event] = (await bench.open.events(bench.workspaceId, 'review.changed')).filter(
    (one) => one.subject === id,
  );
  expect(event?.data).toMatchObject({
    ...{ head: { from: first, to: headSha }, anchors: { moved: 2, outdated: 1, current: 2 } },
  });
  const before = (await bench.open.events(bench.workspaceId)).length;
  await refreshed(id);
  expect(await bench.open.events(bench.workspaceId)).toHaveLength(before);
});

test('a renamed file is followed; a file that is gone leaves its findings outdated', async () => {
  const { id } = await review({ head: { 'a.ts': text(changed(30, 'x')), 'c.ts': 'c\n' } });
  const kept = await note(id, { path: 'a.ts', startLine: 40 });
  const gone = await note(id, { path: 'c.ts', startLine: 1 });
  const renamed = ['top', ...changed(30, 'x')];
  bench.github.push(number, { files: { 'lib/b.ts': text(renamed) }, renames: { 'lib/b.ts': 'a.ts' } });
  const { place } = await refreshed(id);
  expect(place(kept)).toMatchObject({ path: 'lib/b.ts', startLine: 41, state: 'moved' });
  expect(place(gone)).toMatchObject({ path: 'c.ts', state: 'outdated' });
  bench.github.push(number, { files: { 'd.ts': text(renamed) }, renames: { 'd.ts': 'lib/b.ts' } });
  expect((await refreshed(id)).place(kept)).toMatchObject({ path: 'd.ts', startLine: 41 });
});

test('a rewritten history is compared by its texts, and a left side moves with what it grew from', async () => {
  const { id, headSha } = await review();
  const right = await note(id, { path: 'a.ts', startLine: 30 });
  const left = await note(id, { path: 'a.ts', startLine: 30, side: 'LEFT' });
  const base = ['inserted below', ...LINES];
  const { baseSha } = bench.github.pulls.get(number)!;
  const onto = bench.github.repository.commit(baseSha, 'Meanwhile', { 'a.ts': text(base) });
  const rebased = bench.github.forcePush(number, {
    onto,
    files: { 'a.ts': text(changed(31, 'changed', base)) },
  });
  const first = await refreshed(id);
  expect(first.view).toMatchObject({ headSha: rebased, mergeBaseSha: onto });
  expect(first.place(right)).toMatchObject({ startLine: 31, state: 'moved' });
  expect(first.place(left)).toMatchObject({ startLine: 31, side: 'LEFT', state: 'moved' });
  bench.github.repository.forget(rebased);
  bench.github.forcePush(number, { files: { 'a.ts': text(['x']) } });
  const last = await refreshed(id);
  expect(last.place(right)).toMatchObject({ state: 'outdated', sha: rebased });
  expect(headSha).not.toBe(rebased);
});

test('however many findings a file has, its versions are asked for and compared once', async () => {
  const { id } = await review();
  const notes = await Promise.all(
    LINES.slice(0, 9).map((_, i) => note(id, { path: 'a.ts', startLine: i + 1 })),
  );
  const { baseSha } = bench.github.pulls.get(number)!;
  const onto = bench.github.repository.commit(baseSha, 'Meanwhile', { 'a.ts': text(['new', ...LINES]) });
  bench.github.forcePush(number, { onto, files: { 'a.ts': text(['new', ...LINES]) } });
  const before = bench.github.requests.length;
  const { place } = await refreshed(id);
  for (const [i, one] of notes.entries()) expect(place(one)).toMatchObject({ startLine: i + 2 });
  const contents = bench.github.requests.slice(before).filter(({ path }) => path.includes('/contents/'));
  expect(contents).toHaveLength(2);
});

test('an outdated finding weighs until a person resolves it, and is back when its head is', async () => {
  const { id, headSha } = await review();
  const found = await note(id, { path: 'a.ts', startLine: 30 });
  const pull = bench.github.pulls.get(number)!;
  bench.github.push(number, { files: { 'a.ts': text(changed(30, 'mended')) } });
  const { view, place } = await refreshed(id);
  expect([place(found).state, view.prospect.base]).toEqual(['outdated', 'hold']);
  pull.headSha = headSha;
  expect((await refreshed(id)).place(found)).toMatchObject({ state: 'current', startLine: 30, sha: headSha });
});

test('findings that come while the head moves on are either moved along or refused', async () => {
  const { id } = await review();
  const files = { 'a.ts': text(['top', ...changed(30, 'changed')]) };
  bench.github.push(number, { files });
  const adding = Array.from({ length: 12 }, () =>
    bench.call(
      'POST',
      `/reviews/${id}/findings`,
      finding({ anchor: { path: 'a.ts', startLine: 20 }, headSha: undefined }),
      bench.author,
    ),
  );
  const [{ view }] = await Promise.all([refreshed(id), ...adding]);
  const added = (await Promise.all(adding)).map(({ status }) => status);
  expect(added.every((status) => status === 201 || status === 409)).toBe(true);
  const after = await bench.ok('GET', `/${id}`);
  for (const { place, headSha } of after.findings) {
    expect(place.sha).toBe(view.headSha);
    expect(place.startLine).toBe(headSha === view.headSha ? 20 : 21);
  }
});
