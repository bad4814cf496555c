import { texts, useText } from '../i18n/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { useBudgets } from './agent-data.ts';
import { agentText } from './agent-words.ts';
import css from './agents.module.css';
import { BudgetForm } from './budget-form.tsx';
import { CannotChange } from './cannot-change.tsx';
import { FailedLooks } from './failed-looks.tsx';
import { MonthBudget } from './month-budget.tsx';
import { budgetOf } from './roster.ts';

const words = texts(
  {
    title: 'Budgets',
    spent: 'Spent this month by all agents',
    workspace: 'Workspace, dollars a month',
    workspaceHint:
      'All agents together. Months are counted in UTC; at the limit no further call is made until you raise it.',
    run: 'Each run, dollars',
    runHint: 'A run and its sub-agents together, unless a run has a limit of its own.',
    agents: 'The limit of one agent is on its own page.',
  },
  {
    title: 'Budgets',
    spent: 'Dépensé ce mois-ci par tous les agents',
    workspace: 'Espace de travail, dollars par mois',
    workspaceHint:
      'Tous les agents ensemble. Les mois sont comptés en UTC\u202f; à la limite, plus aucun appel n’est fait avant que vous la releviez.',
    run: 'Chaque exécution, dollars',
    runHint: 'Une exécution avec ses sous-agents, sauf si elle a sa propre limite.',
    agents: 'La limite d’un agent est sur sa propre page.',
  },
);

/** What the workspace may spend in a month, and each run. */
export function BudgetsDialog({ ws, onClose }: { ws: string; onClose(): void }) {
  const t = useText(words);
  const common = useText(agentText);
  const budgets = useBudgets(ws);
  const items = budgets.data?.items;
  return (
    <Dialog title={t.title} closeLabel={common.close} onClose={onClose}>
      {budgets.error && !items ? (
        <Failed error={budgets.error} onRetry={() => void budgets.refetch()} />
      ) : items ? (
        <div className={css.stack}>
          <CannotChange />
          <FailedLooks looks={[budgets]} />
          <div>
            <p className={css.soft}>{t.spent}</p>
            <MonthBudget budget={budgetOf(items, 'workspace')} isLong />
          </div>
          <BudgetForm
            ws={ws}
            target="workspace"
            label={t.workspace}
            hint={t.workspaceHint}
            capMicros={budgetOf(items, 'workspace').capMicros}
          />
          <BudgetForm
            ws={ws}
            target="run"
            label={t.run}
            hint={t.runHint}
            capMicros={budgetOf(items, 'run').capMicros}
          />
          <p className={css.soft}>{t.agents}</p>
        </div>
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}
