import { ListTree, MessagesSquare } from 'lucide-react';
import { Link } from 'wouter';
import type { ShownConversation } from '../../services/spaces/conversations/schema.ts';
import type { Space } from '../../services/spaces/spaces/schema.ts';
import { useText } from '../i18n/text.ts';
import { useOnlookers } from '../inbox/focus.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import css from './conversation.module.css';
import { useNames } from './names.ts';
import { conversationText } from './text.ts';

interface SpaceHeaderProps {
  ws: string;
  space: Space;
  threads: readonly ShownConversation[];
  areRunsOpen: boolean;
  onThread(id: string): void;
  onRuns(): void;
}

const SHOWN_AGENTS = 6;
/** More of them stand there without their names. */
const NAMED_AGENTS = 2;

/** What space this is, in which mode, and whose. */
export function SpaceHeader({ ws, space, threads, areRunsOpen, onThread, onRuns }: SpaceHeaderProps) {
  const t = useText(conversationText);
  const nameOf = useNames(ws);
  const agents = space.agents.map((id) => ({ id, ...nameOf(`agent:${id}`) }));
  const mode = t.modes[space.mode];
  return (
    <header className={css.header}>
      <h1 title={space.name}>{space.name}</h1>
      <Badge>
        <span aria-hidden="true">{mode}</span>
        <span className="visually-hidden">{t.modeIs(mode)}</span>
      </Badge>
      <ul
        className={css.agents}
        data-many={agents.length > NAMED_AGENTS || undefined}
        aria-label={t.agentsHere}
      >
        {agents.slice(0, SHOWN_AGENTS).map(({ id, name, title }) => (
          <li key={id}>
            <Link href={`/agents/${id}`} title={title ?? name} className={css.agent}>
              <Avatar name={name} kind="agent" />
              <span>{name}</span>
            </Link>
          </li>
        ))}
        {agents.length > SHOWN_AGENTS ? <li className={css.soft}>+{agents.length - SHOWN_AGENTS}</li> : null}
        {agents.length === 0 ? <li className={css.soft}>{t.noAgents}</li> : null}
      </ul>
      <PeopleHere spaceId={space.id} />
      {threads.length > 0 ? <ThreadMenu threads={threads} onThread={onThread} /> : null}
      <Button kind="quiet" aria-pressed={areRunsOpen} onClick={onRuns}>
        <ListTree size={16} aria-hidden /> <span className={css.word}>{t.runs}</span>
      </Button>
    </header>
  );
}

/** Other people who look at this space now. */
function PeopleHere({ spaceId }: { spaceId: string }) {
  const t = useText(conversationText);
  const people = useOnlookers(`space:${spaceId}`);
  if (people.length === 0) return null;
  return (
    <ul className={css.people} aria-label={t.alsoHere}>
      {people.map(({ actor, name }) => (
        <li key={actor} title={t.isHere(name)}>
          <Avatar name={name} kind="person" />
          <span className="visually-hidden">{name}</span>
        </li>
      ))}
    </ul>
  );
}

function ThreadMenu({ threads, onThread }: Pick<SpaceHeaderProps, 'threads' | 'onThread'>) {
  const t = useText(conversationText);
  return (
    <Menu
      label={t.threads}
      className={css.threads ?? ''}
      button={
        <>
          <MessagesSquare size={16} aria-hidden /> <span className={css.word}>{t.threads}</span>
        </>
      }
      items={threads.map(({ id, title, messageCount }) => ({
        ...{ value: id, label: title },
        hint: messageCount > 0 ? t.messageCount(messageCount) : t.noReplies,
      }))}
      onChoose={onThread}
    />
  );
}
