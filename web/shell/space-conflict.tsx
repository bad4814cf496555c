import { useQuery } from '@tanstack/react-query';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { agentsQuery } from './shell-queries.ts';
import css from './space-conflict.module.css';
import type { EditableField, EditableSpace } from './space-draft.ts';
import { spaceText } from './space-text.ts';

const words = texts(
  {
    told: 'Somebody changed this space while you did. Choose whose values hold where they differ.',
    theirs: 'Now',
    mine: 'Yours',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
    nobody: 'none',
  },
  {
    told: 'Quelqu’un a modifié cet espace en même temps que vous. Choisissez les valeurs à garder là où elles diffèrent.',
    theirs: 'Actuel',
    mine: 'Le vôtre',
    keepMine: 'Garder les miennes',
    takeTheirs: 'Prendre les leurs',
    nobody: 'aucun',
  },
);

interface SpaceConflictProps {
  ws: string;
  fields: readonly EditableField[];
  theirs: EditableSpace;
  mine: EditableSpace;
  onKeepMine(): void;
  onTakeTheirs(): void;
}

/** Both values of every field that two people changed at once. */
export function SpaceConflict({ ws, fields, theirs, mine, onKeepMine, onTakeTheirs }: SpaceConflictProps) {
  const t = useText(words);
  const common = useText(spaceText);
  const agents = useQuery(agentsQuery(ws)).data?.items ?? [];
  const shown = (space: EditableSpace, field: EditableField): string => {
    if (field === 'mode') return common.modes[space.mode][0] ?? space.mode;
    if (field === 'autonomy') return common.autonomies[space.autonomy][0] ?? space.autonomy;
    if (field === 'whenNobody') return common.whenNobodies[space.whenNobody][0] ?? space.whenNobody;
    if (field === 'name') return space.name;
    const names = space.agents.map((id) => agents.find((agent) => agent.id === id)?.name ?? id);
    return names.length === 0 ? t.nobody : names.join(', ');
  };
  return (
    <div role="alert" className={css.conflict}>
      <p>{t.told}</p>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{t.theirs}</th>
            <th scope="col">{t.mine}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{common[field]}</th>
              <td>{shown(theirs, field)}</td>
              <td>{shown(mine, field)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={css.actions}>
        <Button onClick={onTakeTheirs}>{t.takeTheirs}</Button>
        <Button onClick={onKeepMine}>{t.keepMine}</Button>
      </div>
    </div>
  );
}
