import { diffLines } from 'diff';
import { useEffect, useRef } from 'react';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import css from './agent-diff.module.css';
import type { AgentField, AgentForm } from './agent-form.ts';
import { agentText } from './agent-words.ts';
import { FieldValue } from './field-value.tsx';
import { formText } from './form-text.ts';
import { ValueChange } from './value-change.tsx';

interface AgentDiffProps {
  ws: string;
  before: AgentForm;
  after: AgentForm;
  changed: readonly AgentField[];
  isSaving: boolean;
  onSave(): void;
  onClose(): void;
}

const LONG: readonly AgentField[] = ['persona', 'systemPrompt'];

/** What is about to be saved, field by field. */
export function AgentDiff({ ws, before, after, changed, isSaving, onSave, onClose }: AgentDiffProps) {
  const t = useText(formText);
  const common = useText(agentText);
  const list = useRef<HTMLDListElement>(null);
  // A modal dialog puts the focus on its first button, which closes it; whoever came by the keyboard came to save.
  useEffect(() => list.current?.closest('dialog')?.querySelector<HTMLElement>('[data-save]')?.focus(), []);
  return (
    <Dialog
      isWide
      title={t.reviewTitle}
      closeLabel={common.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" isPending={isSaving} onClick={onSave} data-save>
            {common.save}
          </Button>
        </>
      }
    >
      <dl ref={list} className={css.diff}>
        {changed.map((field) => (
          <div key={field}>
            <dt>{t.fields[field]}</dt>
            {LONG.includes(field) ? (
              <dd>
                <Lines before={String(before[field])} after={String(after[field])} />
              </dd>
            ) : (
              <dd>
                <ValueChange
                  words={t}
                  from={<FieldValue ws={ws} field={field} form={before} />}
                  to={<FieldValue ws={ws} field={field} form={after} />}
                />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** A line that stands on both sides is shown once; signs as well as colours say which is which. */
function Lines({ before, after }: { before: string; after: string }) {
  const t = useText(formText);
  const parts = diffLines(before === '' ? '' : `${before}\n`, after === '' ? '' : `${after}\n`);
  return (
    <div className={css.lines}>
      {parts.map(({ value, added, removed }, i) => {
        const [sign, word, Tag] = added
          ? (['+', t.added, 'ins'] as const)
          : removed
            ? (['−', t.removed, 'del'] as const)
            : ([' ', t.same, 'span'] as const);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are made anew together
          <Tag key={i} className={css.part}>
            <span className="visually-hidden">{word}: </span>
            {value
              .replace(/\n$/, '')
              .split('\n')
              .map((line) => `${sign} ${line}`)
              .join('\n')}
          </Tag>
        );
      })}
    </div>
  );
}
