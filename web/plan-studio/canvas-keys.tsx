import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { type CanvasActions, type CanvasStore, traceNode } from './canvas-store.ts';
import { canvasText } from './canvas-text.ts';
import type { CanvasView } from './use-canvas-view.ts';
import { type Arrow, walk } from './walk.ts';

interface KeysProps {
  store: CanvasStore;
  actions: CanvasActions;
  view: CanvasView;
  onSearch(): void;
}

const ARROWS: readonly Arrow[] = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'];
const focusedKey = (): string | null =>
  document.activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key ?? null;

/** The canvas by keyboard: what moves the view works anywhere on the screen, what acts on a step where the focus is on one. */
export function CanvasKeys({ store, actions, view, onSearch }: KeysProps) {
  const t = useText(canvasText);
  const group = t.group;
  const isOnStep = () => focusedKey() !== null;
  const go = (key: string | null) => {
    if (key === null) return;
    view.show(key);
    store.setState({ stopKey: key, wantedKey: key });
    traceNode(store, key);
  };
  const arrow = (keys: Arrow) => ({
    ...{ keys, label: t.walk, group, repeats: true, when: isOnStep },
    run: () => go(walk(store.getState().model, focusedKey()!, keys)),
  });
  const rim = (keys: 'Home' | 'End', at: 0 | -1) => ({
    ...{ keys, label: t[keys === 'Home' ? 'first' : 'last'], group, when: isOnStep },
    run: () => go([...store.getState().model.nodes.keys()].at(at) ?? null),
  });
  useKeys([
    { keys: 'f', label: t.fit, group, run: view.fit },
    { keys: '[Shift]+1', label: t.actual, group, run: view.actualSize },
    { keys: '[Shift]++', label: t.zoomIn, group, repeats: true, run: view.zoomIn },
    { keys: '-', label: t.zoomOut, group, repeats: true, run: view.zoomOut },
    { keys: '[Shift]+/', label: t.search, group, run: onSearch },
    ...ARROWS.map(arrow),
    rim('Home', 0),
    rim('End', -1),
    { keys: 'Enter', label: t.open, group, when: isOnStep, run: () => actions.open(focusedKey()!) },
    {
      ...{ keys: 'Delete', label: t.remove, group },
      when: () => canRemove(store),
      run: () => removeSelected(store, actions, go),
    },
    {
      ...{ keys: 'Escape', label: t.unselect, group },
      when: () => store.getState().edge !== null || (isOnStep() && store.getState().selectedKey !== null),
      run: () => (store.getState().edge ? store.setState({ edge: null }) : actions.select(null)),
    },
  ]);
  return null;
}

function canRemove(store: CanvasStore): boolean {
  const { isEditable, edge, model } = store.getState();
  const node = model.nodes.get(focusedKey() ?? '');
  return isEditable && (edge !== null || (node?.kind === 'ticket' && !node.isReadOnly));
}

/** The dependency that is selected, or else the step that has the focus; the focus goes on to a step beside it. */
function removeSelected(store: CanvasStore, actions: CanvasActions, go: (key: string | null) => void): void {
  const { edge, model } = store.getState();
  const selected = model.edges.find(({ id }) => id === edge);
  if (selected) {
    store.setState({ edge: null });
    actions.disconnect(selected.from, selected.to);
    return;
  }
  const key = focusedKey();
  if (!key) return;
  const beside = ARROWS.map((arrow) => walk(model, key, arrow)).find((one) => one !== null) ?? null;
  go(beside);
  actions.remove(key);
}
