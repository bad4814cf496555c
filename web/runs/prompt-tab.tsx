import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedLooks } from '../agents/failed-looks.tsx';
import { count, dateTime } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import css from './run.module.css';
import { promptQuery } from './run-queries.ts';
import { runWords } from './run-words.ts';

/** What the model was told before the conversation, word for word; of several starts the one that is chosen. */
export function PromptTab({ ws, runId }: { ws: string; runId: string }) {
  const t = useText(runWords);
  const prompt = useQuery(promptQuery(ws, runId));
  const [chosen, setChosen] = useState(0);
  if (prompt.error && !prompt.data)
    return <Failed error={prompt.error} onRetry={() => void prompt.refetch()} />;
  if (!prompt.data) return <Loading />;
  const start = prompt.data[chosen] ?? prompt.data[0];
  if (!start)
    return (
      <Empty title={t.promptNone}>
        <p>{t.promptHint}</p>
      </Empty>
    );
  return (
    <div className={css.prompt}>
      <FailedLooks looks={[prompt]} />
      {prompt.data.length > 1 ? (
        <Field label={t.start}>
          {(control) => (
            <select {...control} value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
              {prompt.data.map(({ at, lastAt }, i) => (
                <option key={`${at}/${lastAt}`} value={i}>
                  {t.startAt(dateTime(lastAt))}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : null}
      {start.system.map(({ text, cache }, i) => (
        <Piece
          key={text}
          title={start.system.length > 1 ? `${t.system} ${i + 1}/${start.system.length}` : t.system}
          text={text}
          note={cache ? t.cached : t.notCached}
        />
      ))}
      <Piece title={t.opening} text={start.prompt} note={null} />
    </div>
  );
}

function Piece({ title, text, note }: { title: string; text: string; note: string | null }) {
  const t = useText(runWords);
  return (
    <section aria-label={title} className={css.piece}>
      <header className={css.pieceHead}>
        <h2>{title}</h2>
        {note === null ? null : <Badge>{note}</Badge>}
        <span className={css.soft}>{t.chars(count(text.length))}</span>
        <CopyButton isIcon label={`${t.copy}: ${title}`} text={() => text} />
      </header>
      <pre className={css.long}>{text}</pre>
    </section>
  );
}
