import { Sparkles } from 'lucide-react';
import { useText } from '../i18n/text.ts';
import { usePresence } from '../shell/presence-store.ts';
import { activityOf, activityText } from '../shell/presence-words.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Status } from '../ui/status.tsx';
import css from './completion-list.module.css';
import { composerText } from './text.ts';
import type { Completion, Suggestion } from './use-completion.ts';

/** What fits the word at the caret. The focus stays in the field, which names the active one. */
export function CompletionList({ id, completion }: { id: string; completion: Completion }) {
  const t = useText(composerText);
  const { trigger, items, active, choose } = completion;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={trigger.kind === 'agent' ? t.agents : t.skills}
      className={css.list}
    >
      {items.map((item, i) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and points here
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
        <div
          key={item.id}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === active}
          className={css.option}
          ref={i === active ? intoView : undefined}
          // The field would lose the focus before the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(item)}
        >
          {trigger.kind === 'agent' ? <AgentOption item={item} /> : <SkillOption item={item} />}
        </div>
      ))}
    </div>
  );
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

function AgentOption({ item }: { item: Suggestion }) {
  const t = useText(composerText);
  const words = useText(activityText);
  const agent = usePresence(({ items }) => items?.find(({ actor }) => actor === `agent:${item.id}`));
  const { status, label } = activityOf(agent?.kind === 'agent' ? agent.activity : null, words);
  return (
    <>
      <Avatar name={item.name} kind="agent" />
      <span className={css.name}>{item.name}</span>
      <span className={css.title}>
        {item.title}
        {item.isHere ? null : ` · ${t.notHere}`}
      </span>
      <span className={css.status}>
        <Status status={status} label={label} />
      </span>
    </>
  );
}

function SkillOption({ item }: { item: Suggestion }) {
  const t = useText(composerText);
  return (
    <>
      <Sparkles size={16} aria-hidden />
      <span className={css.name}>{item.name}</span>
      <span className={css.title}>{t.skillOf(item.title)}</span>
    </>
  );
}
