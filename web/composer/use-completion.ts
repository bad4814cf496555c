import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import { agentsQuery } from '../shell/shell-queries.ts';
import { type Candidate, completed, fitting, isComplete, type Trigger, triggerAt } from './completing.ts';
import { isComposing } from './composing-key.ts';
import type { ModeSpace } from './space-mode.ts';

const MOST_SHOWN = 8;
const LEAST_SHOWN = 3;
/** What the list may take of the window's height, and the height of one line of it. */
const SHARE = 0.45;
const LINE_REM = 2.25;

/** As many as fit: the list does not scroll, and typing on narrows it. */
function mostShown(): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const lines = Math.floor((innerHeight * SHARE) / (LINE_REM * rem));
  return Math.min(MOST_SHOWN, Math.max(LEAST_SHOWN, lines));
}

export interface Suggestion extends Candidate {
  id: string;
}

export interface Completion {
  trigger: Trigger;
  items: readonly Suggestion[];
  active: number;
  choose(item: Suggestion): void;
}

/** Names of agents after `@`, and of their skills after `/skill:`. */
export function useCompletion(
  ws: string,
  space: ModeSpace,
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
) {
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  const candidates = useCandidates(ws, space);
  const trigger = caret === null ? null : triggerAt(text, caret);
  const items = trigger ? fitting(trigger.query, candidates[trigger.kind]).slice(0, mostShown()) : [];
  const isOpen =
    trigger !== null &&
    trigger.start !== dismissedAt &&
    items.length > 0 &&
    !isComplete(trigger.query, items);
  const at = Math.min(active, items.length - 1);
  const choose = (item: Suggestion) => {
    if (!trigger || !field.current) return;
    insert(field.current, trigger, completed(trigger, item.name, text));
    setActive(0);
  };
  const open: Completion | null = isOpen ? { trigger, items, active: at, choose } : null;
  return {
    open,
    /** To be called when the caret has moved. */
    follow(element: HTMLTextAreaElement) {
      const { selectionStart, selectionEnd } = element;
      setCaret(selectionStart === selectionEnd ? selectionStart : null);
      if (triggerAt(element.value, selectionStart)?.start !== trigger?.start) setActive(0);
    },
    close: () => setCaret(null),
    /** @returns whether the key was meant for the list */
    onKeyDown(event: KeyboardEvent): boolean {
      if (!open) {
        // A word that was dismissed is completed again once it is another one.
        if (event.key === '@' || event.key === '/') setDismissedAt(null);
        return false;
      }
      const act = actionOf(event, at, items.length);
      if (act === null) return false;
      event.preventDefault();
      if (act === 'dismiss') setDismissedAt(open.trigger.start);
      else if (act === 'choose') choose(items[at] as Suggestion);
      else setActive(act);
      return true;
    },
  };
}

function actionOf(event: KeyboardEvent, at: number, n: number): number | 'choose' | 'dismiss' | null {
  if (isComposing(event)) return null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  switch (event.key) {
    case 'ArrowDown':
      return (at + 1) % n;
    case 'ArrowUp':
      return (at - 1 + n) % n;
    case 'Enter':
    case 'Tab':
      return 'choose';
    case 'Escape':
      return 'dismiss';
    default:
      return null;
  }
}

function useCandidates(ws: string, space: ModeSpace): Record<Trigger['kind'], Suggestion[]> {
  const agents = useQuery(agentsQuery(ws)).data?.items;
  return useMemo(() => {
    const inRoom = new Set(space.agents);
    const all = agents ?? [];
    const bySkill = new Map<string, string[]>();
    for (const { id, name, skills } of all)
      if (inRoom.has(id))
        for (const skill of skills) bySkill.set(skill, [...(bySkill.get(skill) ?? []), name]);
    return {
      agent: all.map(({ id, name, title }) => ({ id, name, title, isHere: inRoom.has(id) })),
      skill: [...bySkill].map(([name, of]) => ({ id: name, name, title: of.join(', '), isHere: true })),
    };
  }, [agents, space.agents]);
}

/** As typing does it, so that the browser's own undo takes it back. */
function insert(field: HTMLTextAreaElement, { start, end }: Trigger, text: string): void {
  field.focus();
  field.setSelectionRange(start, end);
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
