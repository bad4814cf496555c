import { create } from 'zustand';
import { ask, spaces } from '../../api/client.ts';
import { hasCode, UNREACHABLE } from '../../api/problem.ts';
import { faultSentence } from '../../i18n/fault-words.ts';
import { useConnection } from '../../live/connection.ts';
import { notify, notifyFailure } from '../../ui/notices.tsx';
import { catchUp, lastMessageId } from './open-logs.ts';
import { type Outgoing, revived } from './outbox-state.ts';

/** One entry for each message: tabs of one person write beside each other. */
const STORED = 'control-center.outbox.';
const SENT_STAY_MS = 60_000;

/** What was said and may not have arrived, in the order in which it was said; it survives a reload. */
export const useOutbox = create<{ items: readonly Outgoing[] }>()(() => ({ items: restored() }));
useOutbox.subscribe(({ items }, before) => {
  for (const item of before.items) if (!items.some(({ key }) => key === item.key)) forget(item.key);
  for (const item of items) {
    if (item.state === 'sent') forget(item.key);
    else if (!before.items.includes(item)) remember(item);
  }
});

function remember(item: Outgoing): void {
  try {
    localStorage.setItem(STORED + item.key, JSON.stringify(item));
  } catch (error) {
    // The browser's room is used up: the message goes out from this tab, and the person has to know.
    notifyFailure(error);
  }
}

function forget(key: string): void {
  localStorage.removeItem(STORED + key);
}

export type NewOutgoing = Pick<Outgoing, 'ws' | 'conversationId' | 'body'> &
  Partial<Pick<Outgoing, 'key' | 'attachments' | 'delivery' | 'wake'>>;

/**
 * Says something in a conversation: it is on the screen at once, and its failure is shown at its place, with a way to try again.
 * @returns true once the server has it; false when it failed
 */
export function say(input: NewOutgoing): Promise<boolean> {
  const item: Outgoing = {
    ...{ key: crypto.randomUUID(), attachments: [], delivery: null, wake: null, ...input },
    ...{ createdAt: Date.now(), afterId: lastMessageId(input.conversationId) },
    ...{ state: 'waiting', messageId: null, problem: null, isUnreached: false },
  };
  useOutbox.setState(({ items }) => ({ items: [...items, item] }));
  return pump(item.conversationId).then(
    () => useOutbox.getState().items.find(({ key }) => key === item.key)?.state !== 'failed',
  );
}

export function sayAgain(key: string): void {
  change(key, { state: 'waiting', problem: null, isUnreached: false });
  const item = useOutbox.getState().items.find((one) => one.key === key);
  if (item) void pump(item.conversationId);
}

export function discard(key: string): void {
  useOutbox.setState(({ items }) => ({ items: items.filter((item) => item.key !== key) }));
}

const pumping = new Map<string, Promise<void>>();

/** One at a time in each conversation, so that they arrive in the order in which they were said. */
function pump(conversationId: string): Promise<void> {
  const under = pumping.get(conversationId) ?? Promise.resolve();
  const next = under.then(() => sendWaiting(conversationId));
  pumping.set(conversationId, next);
  return next;
}

async function sendWaiting(conversationId: string): Promise<void> {
  for (;;) {
    const item = useOutbox
      .getState()
      .items.find((one) => one.conversationId === conversationId && one.state === 'waiting');
    if (!item) return;
    await send(item);
  }
}

async function send({ key, ws, conversationId, body, attachments, delivery, wake }: Outgoing): Promise<void> {
  try {
    const { message, notices } = await ask(
      spaces.api.workspaces[':workspaceId'].conversations[':id'].messages.$post({
        param: { workspaceId: ws, id: conversationId },
        json: {
          ...{ body, key, attachments: attachments.map(({ id }) => id) },
          ...(delivery !== null && { delivery }),
          ...(wake !== null && { wake }),
        },
      }),
    );
    change(key, { state: 'sent', messageId: message.id });
    for (const notice of notices) notify(notice);
    catchUp(conversationId);
    setTimeout(discard, SENT_STAY_MS, key);
  } catch (error) {
    change(key, { state: 'failed', problem: faultSentence(error), isUnreached: hasCode(error, UNREACHABLE) });
  }
}

function change(key: string, to: Partial<Outgoing>): void {
  useOutbox.setState(({ items }) => ({
    items: items.map((item) => (item.key === key ? { ...item, ...to } : item)),
  }));
}

function restored(): Outgoing[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(STORED));
  return revived(keys.map((key) => parsed(localStorage.getItem(key))));
}

function parsed(stored: string | null): unknown {
  try {
    return JSON.parse(stored ?? 'null');
  } catch {
    // Not written by this version: there is nothing in it that could be sent.
    return null;
  }
}

useConnection.subscribe(({ state }) => {
  if (state !== 'open') return;
  for (const item of useOutbox.getState().items) if (item.isUnreached) sayAgain(item.key);
});
for (const id of new Set(useOutbox.getState().items.map(({ conversationId }) => conversationId)))
  void pump(id);
