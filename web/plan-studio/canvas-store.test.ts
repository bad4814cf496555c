import { expect, test } from 'bun:test';
import { beginConnection, createCanvasStore, lightOf, moveConnection, traceNode } from './canvas-store.ts';
import { modelOf } from './doubles/models.ts';
import { ticket } from './doubles/plans.ts';

const NODES = [
  ticket('a'),
  ticket('b', ['a']),
  ticket('c', ['b']),
  ticket('d'),
  ticket('end', ['c', 'd'], { kind: 'synthesis', isReadOnly: true }),
];
const KEYS = NODES.map(({ key }) => key);
const HERE = { x: 0, y: 0 };

function canvas() {
  const store = createCanvasStore(modelOf(NODES));
  return { store, lights: () => KEYS.map((key) => lightOf(store.getState(), key)) };
}

test('a trace lights what a node needs and what needs it', () => {
  const { store, lights } = canvas();
  traceNode(store, 'b');
  expect(lights()).toEqual(['up', 'self', 'down', 'off', 'down']);
  traceNode(store, null);
  expect(lights()).toEqual([null, null, null, null, null]);
  traceNode(store, 'gone');
  expect(store.getState().trace).toBeNull();
});

test('a dependency being drawn dims its impossible ends and says why the one under the pointer is', () => {
  const { store, lights } = canvas();
  beginConnection(store, 'c', HERE, HERE);
  expect(lights()).toEqual(['off', 'off', 'self', null, 'off']);
  moveConnection(store, 'd', HERE, HERE);
  expect(lights()).toEqual(['off', 'off', 'self', 'target', 'off']);
  moveConnection(store, 'a', HERE, HERE);
  expect(store.getState().connection?.refusal).toEqual({ reason: 'cycle', path: ['a', 'b', 'c'] });
  expect(lights()).toEqual(['refused', 'cycle', 'self', null, 'off']);
  moveConnection(store, null, HERE, HERE);
  expect(store.getState().connection?.refusal).toBeNull();
});

test('what a search found stands out; what a part leaves out stands back, structure never', () => {
  const { store, lights } = canvas();
  store.setState({ found: new Set(['d']) });
  expect(lights()).toEqual(['off', 'off', 'off', 'self', 'off']);
  store.setState({ found: null, chosenKeys: new Set(['a']) });
  expect(lights()).toEqual([null, 'off', 'off', 'off', null]);
});
