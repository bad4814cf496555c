import { useState } from 'react';
import type { ProposedTicket } from '../../core-wasm/core.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import css from './inspector.module.css';
import { readSchema, type SchemaProblem, schemaText } from './inspector-schema-check.ts';
import { useDesk, useDraft } from './plan-screen-context.ts';

const words = texts(
  {
    schema: 'Output schema',
    hint: 'JSON Schema of the result. Leave it empty for free text.',
    none: 'None: the result is free text.',
    tidy: 'Tidy up',
    movedOn: 'The schema was changed while you were typing. Yours is kept here and not saved.',
    theirs: 'It is now:',
    takeTheirs: 'Discard mine',
    keepMine: 'Go on with mine',
    problems: {
      json: 'This is not valid JSON yet. It is kept here and not saved.',
      object: 'a schema is a JSON object: { … }',
      type: '“type” is one of object, array, string, number, integer, boolean, null, or a list of them',
      properties: '“properties” is an object of schemas by name',
      required: '“required” is a list of property names',
      items: '“items” is one schema, for every entry',
      enum: '“enum” is a list of values',
    },
    at: (path: string, problem: string) => `At ${path}: ${problem}.`,
    atTop: (problem: string) => `At the top: ${problem}.`,
  },
  {
    schema: 'Schéma du résultat',
    hint: 'Schéma JSON du résultat. Laissez vide pour un texte libre.',
    none: 'Aucun : le résultat est un texte libre.',
    tidy: 'Mettre en forme',
    movedOn: 'Le schéma a été modifié pendant votre saisie. Le vôtre est gardé ici, sans être enregistré.',
    theirs: 'Il est maintenant :',
    takeTheirs: 'Abandonner le mien',
    keepMine: 'Continuer avec le mien',
    problems: {
      json: 'Ce n’est pas encore du JSON valide. Le texte est gardé ici, sans être enregistré.',
      object: 'un schéma est un objet JSON : { … }',
      type: '« type » est l’un de object, array, string, number, integer, boolean, null, ou une liste de ceux-ci',
      properties: '« properties » est un objet de schémas par nom',
      required: '« required » est une liste de noms de propriétés',
      items: '« items » est un seul schéma, pour chaque élément',
      enum: '« enum » est une liste de valeurs',
    },
    at: (path: string, problem: string) => `À ${path} : ${problem}.`,
    atTop: (problem: string) => `À la racine : ${problem}.`,
  },
);

interface SchemaProps {
  ticket: ProposedTicket;
  isEditable: boolean;
  error: string | null;
}

/** The output schema as JSON, judged with every key; what is no schema yet is kept and said, and not saved. */
export function SchemaField({ ticket, isEditable, error }: SchemaProps) {
  const t = useText(words);
  const { actions, saver } = useDesk();
  const unfinished = useDraft((state) => state.schemaTexts[ticket.key]);
  const [typed, setTyped] = useState({ text: schemaText(ticket.outputSchema), of: ticket.outputSchema });
  // Undone, or changed by somebody else: what was typed is not what the schema is any more.
  const text =
    unfinished?.text ?? (typed.of === ticket.outputSchema ? typed.text : schemaText(ticket.outputSchema));
  const present = schemaText(ticket.outputSchema);
  const over = unfinished?.over ?? present;
  const isOpposed = over !== present;
  const read = readSchema(text);
  if (!isEditable && ticket.outputSchema === null && unfinished === undefined)
    return (
      <section className={css.block} aria-label={t.schema}>
        <h3>{t.schema}</h3>
        <p className={css.soft}>{t.none}</p>
      </section>
    );
  const take = (next: string, onto = over) => {
    const result = readSchema(next);
    if ('problem' in result || onto !== present) {
      actions.keepSchemaText(ticket.key, { text: next, over: onto });
      return;
    }
    setTyped({ text: next, of: result.schema });
    actions.edit(ticket.key, { outputSchema: result.schema });
    actions.keepSchemaText(ticket.key, null);
  };
  return (
    <>
      <Field
        label={t.schema}
        hint={isEditable ? t.hint : undefined}
        error={isOpposed ? t.movedOn : 'problem' in read ? problemText(t, read.problem) : error}
      >
        {(control) => (
          <textarea
            {...control}
            className={css.code}
            rows={Math.min(14, Math.max(3, text.split('\n').length))}
            spellCheck={false}
            readOnly={!isEditable}
            value={text}
            onChange={(event) => take(event.target.value)}
            onBlur={() => void saver.flush()}
          />
        )}
      </Field>
      {isOpposed ? (
        <Opposed
          present={present}
          onDiscard={() => actions.keepSchemaText(ticket.key, null)}
          onKeep={() => take(text, present)}
        />
      ) : null}
      {isEditable && !isOpposed && 'schema' in read && text !== schemaText(read.schema) ? (
        <Button kind="quiet" className={css.tidy} onClick={() => take(schemaText(read.schema))}>
          {t.tidy}
        </Button>
      ) : null}
    </>
  );
}

interface OpposedProps {
  present: string;
  onDiscard(): void;
  onKeep(): void;
}

/** Somebody else's schema beside the one that is being typed. */
function Opposed({ present, onDiscard, onKeep }: OpposedProps) {
  const t = useText(words);
  return (
    <div className={css.block}>
      <p className={css.soft}>{t.theirs}</p>
      {present === '' ? <p className={css.soft}>{t.none}</p> : <pre className={css.theirs}>{present}</pre>}
      <div className={css.actions}>
        <Button onClick={onDiscard}>{t.takeTheirs}</Button>
        <Button onClick={onKeep}>{t.keepMine}</Button>
      </div>
    </div>
  );
}

function problemText(t: (typeof words)['en'], { why, path }: SchemaProblem): string {
  if (why === 'json') return t.problems.json;
  return path === '' ? t.atTop(t.problems[why]) : t.at(path, t.problems[why]);
}
