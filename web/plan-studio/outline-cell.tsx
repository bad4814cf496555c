// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is one of two, and both are cells of a grid
// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a tree grid can be worked on
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the table hears the keys of all its cells
import { Lock } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { texts, useText } from '../i18n/text.ts';
import { rolesFor, ticketKeyOf } from './draft-edits.ts';
import css from './outline.module.css';
import type { Column } from './outline-rows.ts';
import { useDesk, useProposal } from './plan-screen-context.ts';
import type { PlanNode } from './plan-view.ts';

const words = texts(
  { title: 'Title', role: 'Role', readOnly: 'read-only' },
  { title: 'Titre', role: 'Rôle', readOnly: 'lecture seule' },
);

interface CellProps {
  column: Column;
  node: PlanNode;
  text: string;
  isFocusable: boolean;
  isEditing: boolean;
  onFocus(): void;
  onSelect(): void;
  onEdit(): void;
  /** `isByKey`: the cell is to have the focus again; whoever left the field has it elsewhere. */
  onEnd(isByKey: boolean): void;
  children: ReactNode;
}

/** A cell that turns into its field while it is edited. */
export function OutlineCell(props: CellProps) {
  const { column, node, text, isFocusable, isEditing, onFocus, onSelect, onEdit, onEnd, children } = props;
  const t = useText(words);
  const isStructural = node.kind !== 'ticket';
  return (
    <td
      role={column === 'title' ? 'rowheader' : 'gridcell'}
      aria-readonly={node.isReadOnly || undefined}
      tabIndex={isFocusable ? 0 : -1}
      data-field={isFocusable ? 'stop' : undefined}
      data-place={`${node.key} ${column}`}
      className={css[column]}
      onFocus={onFocus}
      onClick={onSelect}
      onDoubleClick={onEdit}
    >
      {isEditing && column === 'title' ? <TitleEditor node={node} onEnd={onEnd} /> : null}
      {isEditing && column === 'role' ? <RoleEditor node={node} onEnd={onEnd} /> : null}
      {isEditing ? null : (
        <>
          <span className={css.text}>{text}</span>
          {column === 'title' && isStructural ? (
            <>
              <Lock size={12} aria-hidden className={css.lock} />
              <span className="visually-hidden">{t.readOnly}</span>
            </>
          ) : null}
          {children}
        </>
      )}
    </td>
  );
}

interface EditorProps {
  node: PlanNode;
  onEnd(isByKey: boolean): void;
}

/**
 * Enter and leaving the field keep what was typed, Escape does not. What is typed is in the draft at once, so that what
 * somebody else makes of the title meanwhile stands against it and is not overwritten unseen.
 */
function TitleEditor({ node, onEnd }: EditorProps) {
  const t = useText(words);
  const { actions, saver } = useDesk();
  const [before] = useState(node.title);
  const typed = useRef(before);
  const key = ticketKeyOf(node.key);
  const put = (title: string) => {
    typed.current = title;
    if (key) actions.edit(key, { title });
  };
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  // Before the next key, however fast it follows.
  useLayoutEffect(() => field.current?.select(), []);
  const end = (isKept: boolean, isByKey: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const isMine = node.title === typed.current && node.title !== before;
    if (isMine && (!isKept || node.title.trim() === '')) put(before);
    void saver.flush();
    onEnd(isByKey);
  };
  return (
    <input
      ref={field}
      aria-label={t.title}
      maxLength={300}
      value={node.title}
      onChange={(event) => put(event.target.value)}
      onBlur={() => end(true, false)}
      onKeyDown={(event) => endBy(event, (isKept) => end(isKept, true))}
    />
  );
}

function RoleEditor({ node, onEnd }: EditorProps) {
  const t = useText(words);
  const { actions, saver } = useDesk();
  const proposal = useProposal();
  const field = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const isOver = useRef(false);
  // A field that goes loses the focus too, which is no second end.
  const end = (isByKey: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    void saver.flush();
    onEnd(isByKey);
  };
  const key = ticketKeyOf(node.key);
  return (
    <select
      ref={field}
      aria-label={t.role}
      value={node.role ?? ''}
      onChange={(event) => key && actions.edit(key, { role: event.target.value })}
      onBlur={() => end(false)}
      onKeyDown={(event) => endBy(event, () => end(true))}
    >
      {rolesFor(proposal, node.role).map((role) => (
        <option key={role.key} value={role.key}>
          {role.title}
        </option>
      ))}
    </select>
  );
}

function endBy(event: KeyboardEvent, end: (isKept: boolean) => void): void {
  if (event.key !== 'Enter' && event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  end(event.key === 'Enter');
}
