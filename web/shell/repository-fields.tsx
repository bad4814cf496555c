import { Plus, X } from 'lucide-react';
import type { SpaceRepository } from '../../services/spaces/spaces/schema.ts';
import { useText } from '../i18n/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { faultAt } from './faults.ts';
import css from './repository-fields.module.css';
import { repositoryName } from './space-draft.ts';
import { spaceText } from './space-text.ts';

interface RepositoryFieldsProps {
  repositories: readonly SpaceRepository[];
  onChange(repositories: SpaceRepository[]): void;
  error: unknown;
}

/** Repositories by their paths on the server; each has a name, which follows the path until it is written by hand. */
export function RepositoryFields({ repositories, onChange, error }: RepositoryFieldsProps) {
  const t = useText(spaceText);
  const change = (at: number, part: Partial<SpaceRepository>) =>
    onChange(repositories.map((one, i) => (i === at ? withPart(one, part) : one)));
  return (
    <fieldset className={css.repositories}>
      <legend>{t.repositories}</legend>
      <p className={css.hint}>{t.repositoriesHint}</p>
      {repositories.map(({ name, path }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={i} className={css.row}>
          <Field label={t.path} error={faultAt(error, `repositories[${i}].path`)}>
            {(control) => (
              <input
                {...control}
                value={path}
                spellCheck={false}
                autoComplete="off"
                onChange={({ target }) => change(i, { path: target.value })}
              />
            )}
          </Field>
          <Field label={t.repositoryName} error={faultAt(error, `repositories[${i}].name`)}>
            {(control) => (
              <input
                {...control}
                value={name}
                spellCheck={false}
                autoComplete="off"
                onChange={({ target }) => change(i, { name: target.value })}
              />
            )}
          </Field>
          <IconButton
            label={t.removeRepository(i + 1)}
            icon={<X size={15} aria-hidden />}
            onClick={() => onChange(repositories.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...repositories, { name: '', path: '' }])}>
          <Plus size={15} aria-hidden /> {t.addRepository}
        </Button>
      </div>
    </fieldset>
  );
}

function withPart(before: SpaceRepository, part: Partial<SpaceRepository>): SpaceRepository {
  const follows = part.path !== undefined && before.name === repositoryName(before.path);
  return { ...before, ...part, ...(follows && { name: repositoryName(part.path ?? '') }) };
}
