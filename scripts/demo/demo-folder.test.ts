import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDemoFolder } from './demo-folder.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'demo-folder-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

test('a folder with anything in it is refused and stays as it was', () => {
  writeFileSync(join(place, 'precious.txt'), 'mine');
  expect(() => openDemoFolder(place)).toThrow('is not empty');
  expect(readdirSync(place)).toEqual(['precious.txt']);
});

test('a file is refused and stays', () => {
  const file = join(place, 'file');
  writeFileSync(file, 'mine');
  expect(() => openDemoFolder(file)).toThrow('new or empty folder');
  expect(readdirSync(place)).toEqual(['file']);
});

test('an empty folder is emptied again, not removed', () => {
  const folder = openDemoFolder(place);
  mkdirSync(join(folder.path, 'invoices'));
  folder.remove();
  expect(readdirSync(place)).toEqual([]);
});

test('a new folder goes, with the folders made above it', () => {
  const folder = openDemoFolder(join(place, 'a', 'b'));
  mkdirSync(join(folder.path, 'invoices'));
  folder.remove();
  expect(readdirSync(place)).toEqual([]);
});

test('a temporary folder goes', () => {
  const folder = openDemoFolder(null);
  expect(existsSync(folder.path)).toBe(true);
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});
