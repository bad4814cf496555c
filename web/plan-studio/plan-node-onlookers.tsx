import type { CSSProperties } from 'react';
import { useText } from '../i18n/text.ts';
import { visibleText } from '../ui/visible-text.ts';
import { useCanvas } from './canvas-store.ts';
import { type CanvasText, canvasText } from './canvas-text.ts';
import css from './plan-node-onlookers.module.css';
import type { Onlooker } from './plan-view.ts';

/** More names than these have no room at a card. */
const NAMED = 2;
/** In degrees, apart from those of the states and of the own selection. */
const HUES = [310, 195, 345, 110, 235];

/** The colour of a person: by who they are, so that it is the same on every screen and after every reload. */
function hueOf(actor: string): number {
  const sum = [...actor].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) >>> 0, 7);
  return HUES[sum % HUES.length] as number;
}

interface Shown {
  named: readonly Onlooker[];
  /** How many are not named. */
  others: number;
}

const shownOf = (all: readonly Onlooker[]): Shown => ({
  named: all.slice(0, NAMED),
  others: Math.max(0, all.length - NAMED),
});

/** Who looks at a node, as the end of its sentence; null when nobody does. */
function onlookersText(all: readonly Onlooker[], t: CanvasText): string | null {
  if (all.length === 0) return null;
  const { named, others } = shownOf(all);
  const names = named.map(({ name }) => visibleText(name));
  return t.lookedAtBy([...names, ...(others > 0 ? [t.others(others)] : [])].join(', '));
}

const NOBODY: readonly Onlooker[] = [];
const useOnlookers = (key: string) => useCanvas(({ onlookers }) => onlookers?.get(key) ?? NOBODY);

export function useOnlookersText(key: string): string | null {
  const t = useText(canvasText);
  return onlookersText(useOnlookers(key), t);
}

/** A ring around the node that others look at, in the colour of the first of them, with their names. For the eye alone. */
export function Onlookers({ nodeKey }: { nodeKey: string }) {
  const t = useText(canvasText);
  const all = useOnlookers(nodeKey);
  const [first] = all;
  if (!first) return null;
  const { named, others } = shownOf(all);
  return (
    <span className={css.ring} style={tinted(first.actor)} aria-hidden="true">
      <span className={css.names}>
        {named.map(({ actor, name }) => (
          <span key={actor} className={css.name} style={tinted(actor)}>
            {visibleText(name)}
          </span>
        ))}
        {others > 0 ? <span className={css.others}>{t.others(others)}</span> : null}
      </span>
    </span>
  );
}

const tinted = (actor: string) => ({ '--hue': hueOf(actor) }) as CSSProperties;
