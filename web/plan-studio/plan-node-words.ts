import { durationRange, moneyRange } from '../i18n/format.ts';
import type { statusText } from '../ui/status-words.ts';
import { visibleText } from '../ui/visible-text.ts';
import type { CanvasText } from './canvas-text.ts';
import type { NodesByKey } from './cycle.ts';
import type { PlanNode } from './plan-view.ts';

type Statuses = (typeof statusText)['en'];

/** In a sentence that names several steps, each title takes no more than this. */
const NAMED_CHARS = 60;

/** A step's title as it may be shown: nothing in it hides or turns the letters around it. */
export const shownTitle = ({ title }: PlanNode): string => visibleText(title);

/** The title within a sentence, cut where it is long; the key of a step that is not there. */
export function namedTitle(nodes: NodesByKey, key: string): string {
  const node = nodes.get(key);
  if (!node) return key;
  const characters = [...shownTitle(node)];
  return characters.length > NAMED_CHARS
    ? `${characters.slice(0, NAMED_CHARS - 1).join('')}…`
    : characters.join('');
}

const OVER = new Set<PlanNode['status']>(['done', 'failed', 'skipped', 'cancelled']);

/**
 * How long a step takes, in the words of its card; null for steps in which nobody works, for what is not computed, and where
 * it no longer tells anything: the step is over, or it stands still.
 */
export function timeOf({ estimate, status, statusNote }: PlanNode, t: CanvasText): string | null {
  if (!estimate || OVER.has(status) || isStanding(status) || statusNote) return null;
  return estimate.durationMs ? durationRange(estimate.durationMs) : t.unknown;
}

const isStanding = (status: PlanNode['status']): boolean =>
  status === 'awaiting' || status === 'paused' || status === 'blocked';

/** A step's state in words; null before the plan is approved. */
export const stateOf = ({ status, statusNote }: PlanNode, statuses: Statuses): string | null =>
  status && (statusNote || statuses[status]);

/** What a step is, for the colour of its card from afar and of its place on the map. */
export type Tone = 'good' | 'warn' | 'bad' | 'accent';

const TONES: Partial<Record<NonNullable<PlanNode['status'] | PlanNode['change']>, Tone>> = {
  ...{ added: 'good', changed: 'warn', removed: 'bad' },
  ...{ done: 'good', failed: 'bad', running: 'accent' },
  ...{ awaiting: 'warn', paused: 'warn', blocked: 'warn', deferred: 'warn' },
};

/** Before there is a state to tell, the longest path is what stands out. */
export function toneOf({ change, status }: PlanNode, isCritical: boolean): Tone | undefined {
  const told = change ?? status;
  if (told) return TONES[told];
  return isCritical ? 'accent' : undefined;
}

/** The whole of a node in one sentence, for those who do not see its card; it begins with the words of the card. */
export function nodeSentence(node: PlanNode, isCritical: boolean, t: CanvasText, statuses: Statuses): string {
  const { roleTitle, status, statusNote, change, estimate, isReadOnly, isDeferred, needs } = node;
  return [
    shownTitle(node),
    stateOf(node, statuses),
    roleTitle,
    timeOf(node, t),
    change && t.looks[change],
    status && statusNote && statuses[status],
    isDeferred && status !== 'deferred' && statuses.deferred,
    estimate?.costMicros && t.costs(moneyRange(estimate.costMicros)),
    t.needs(needs.length),
    isCritical && t.onLongestPath,
    isReadOnly && t.readOnly,
  ]
    .filter(Boolean)
    .join(', ');
}
