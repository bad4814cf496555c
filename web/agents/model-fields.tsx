import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, money } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { honestyQuery } from '../shell/shell-queries.ts';
import { useMe } from '../shell/use-me.ts';
import { Field } from '../ui/field.tsx';
import { Failed } from '../ui/states.tsx';
import css from './agent.module.css';
import { type Model, modelsQuery } from './agent-data.ts';
import type { AgentField, AgentForm } from './agent-form.ts';
import { FailedLooks } from './failed-looks.tsx';
import { formText } from './form-text.ts';
import { ModelsTable } from './models-table.tsx';

interface ModelFieldsProps {
  ws: string;
  form: AgentForm;
  errorOf(field: AgentField): string | null;
  onChange(part: Partial<AgentForm>): void;
}

const BUILT_IN = 'cc-harness';

/** What the agent runs on: adapter, model and the effort out of the model's own words. */
export function ModelFields({ ws, form, errorOf, onChange }: ModelFieldsProps) {
  const t = useText(formText);
  const { cannotChange } = useMe();
  const models = useQuery(modelsQuery(ws));
  const honesty = useQuery(honestyQuery(ws));
  const [gone, setGone] = useState<string | null>(null);
  const items = models.data?.items ?? [];
  const defaultId = models.data?.defaultModel ?? '';
  const model = items.find(({ id }) => id === (form.modelId || defaultId));
  const chooseModel = (modelId: string) => {
    const next = items.find(({ id }) => id === (modelId || defaultId));
    const isGone = form.effort !== '' && next !== undefined && !next.effort.includes(form.effort);
    setGone(isGone ? t.effortGone(form.effort, next.id) : null);
    onChange({ modelId, ...(isGone && { effort: '' }) });
  };
  if (models.error && !models.data)
    return <Failed error={models.error} onRetry={() => void models.refetch()} />;
  return (
    <>
      <FailedLooks looks={[models, honesty]} />
      <AdapterField ws={ws} value={form.adapterId} error={errorOf('adapterId')} onChange={onChange} />
      <div className={css.pair}>
        <Field
          label={t.fields.modelId}
          hint={model ? <ModelFacts model={model} /> : undefined}
          error={errorOf('modelId')}
        >
          {(control) => (
            <select
              {...control}
              disabled={cannotChange !== null}
              name="modelId"
              value={form.modelId}
              onChange={(event) => chooseModel(event.target.value)}
            >
              <option value="">{t.defaultModel(defaultId)}</option>
              {form.modelId !== '' && items.length > 0 && !items.some(({ id }) => id === form.modelId) ? (
                <option value={form.modelId}>{t.notListed(form.modelId)}</option>
              ) : null}
              {[...Map.groupBy(items, ({ provider }) => provider)].map(([provider, list]) => (
                <optgroup key={provider} label={provider}>
                  {list.map(({ id }) => (
                    <option key={id} value={id}>
                      {id}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          )}
        </Field>
        <EffortField model={model} value={form.effort} error={errorOf('effort')} onChange={onChange} />
      </div>
      <p role="status" className={css.told}>
        {gone}
      </p>
      <details className={css.models}>
        <summary>{t.allModels}</summary>
        <ModelsTable items={items} defaultId={defaultId} chosen={form.modelId} />
      </details>
    </>
  );
}

function ModelFacts({ model }: { model: Model }) {
  const t = useText(formText);
  const { contextTokens, maxOutputTokens, prices } = model;
  const cost = prices
    ? t.prices(money(prices.inputMicrosPerMTok), money(prices.outputMicrosPerMTok))
    : t.noPrices;
  return (
    <>
      {cost} {t.modelFacts(count(contextTokens), count(maxOutputTokens))}
    </>
  );
}

interface EffortFieldProps {
  model: Model | undefined;
  value: string;
  error: string | null;
  onChange(part: { effort: string }): void;
}

function EffortField({ model, value, error, onChange }: EffortFieldProps) {
  const t = useText(formText);
  const { cannotChange } = useMe();
  const levels = model?.effort ?? [];
  const isStray = value !== '' && !levels.includes(value);
  return (
    <Field
      label={t.fields.effort}
      hint={model && levels.length === 0 ? t.noEffort : undefined}
      error={error ?? (isStray && model ? t.effortGone(value, model.id) : null)}
    >
      {(control) => (
        <select
          {...control}
          name="effort"
          value={value}
          disabled={cannotChange !== null || (levels.length === 0 && !isStray)}
          onChange={(event) => onChange({ effort: event.target.value })}
        >
          <option value="">{t.modelsOwn}</option>
          {[...levels, ...(isStray ? [value] : [])].map((level) => (
            <option key={level} value={level}>
              {level}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface AdapterFieldProps {
  ws: string;
  value: string;
  error: string | null;
  onChange(part: { adapterId: string }): void;
}

/** Adapters with what the server says of them; one that is not available cannot be chosen, and says why. */
function AdapterField({ ws, value, error, onChange }: AdapterFieldProps) {
  const t = useText(formText);
  const { cannotChange } = useMe();
  const adapters = useQuery(honestyQuery(ws)).data?.adapters ?? [];
  const others = adapters.filter(({ adapter }) => adapter !== BUILT_IN);
  const isStray = value !== '' && !others.some(({ adapter }) => adapter === value);
  const reason = adapters.find(({ adapter }) => adapter === value)?.reason ?? null;
  const why = others.flatMap(({ reason: one }) => (one === null ? [] : [one]));
  return (
    <Field label={t.fields.adapterId} hint={why.join(' ') || undefined} error={error ?? reason}>
      {(control) => (
        <select
          {...control}
          disabled={cannotChange !== null}
          name="adapterId"
          value={value}
          onChange={(event) => onChange({ adapterId: event.target.value })}
        >
          <option value="">{t.builtIn}</option>
          {isStray ? <option value={value}>{value}</option> : null}
          {others.map(({ adapter, available }) => (
            <option key={adapter} value={adapter} disabled={!available && adapter !== value}>
              {available ? adapter : t.adapterOff(adapter)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
