import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Run } from '../../services/runs/runs/schema.ts';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import { flat } from '../conversation/runs/run-data.ts';
import { type Spent, spentBy, tokensOf } from '../conversation/runs/state-words.ts';
import { runText } from '../conversation/runs/text.ts';
import { count, dateTime, duration, money, percent } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { spacesQuery } from '../shell/shell-queries.ts';
import { spaceText } from '../shell/space-text.ts';
import { useNow } from '../ui/use-now.ts';
import css from './run.module.css';
import { runWords } from './run-words.ts';

interface RunFactsProps {
  ws: string;
  run: Run;
  node: TreeNode;
}

/** What a run cost, took and ran on. */
export function RunFacts({ ws, run, node }: RunFactsProps) {
  const t = useText(runWords);
  const reasons = useText(runText).triggers;
  const space = useQuery(spacesQuery(ws)).data?.items.find(({ id }) => id === run.spaceId);
  const modes = useText(spaceText).modes;
  const isThread = run.conversationId !== null && run.conversationId !== space?.mainConversationId;
  const thread = isThread ? `?thread=${run.conversationId}` : '';
  return (
    <section className={css.card} aria-label={t.facts}>
      <Costs node={node} />
      <Tokens node={node} />
      <dl className={css.facts}>
        <Fact name={t.agent}>
          <Link href={`/agents/${run.agentId}`}>{run.agentName}</Link>
        </Fact>
        <Fact name={t.begun}>{run.startedAt === null ? t.notBegun : dateTime(run.startedAt)}</Fact>
        {run.startedAt === null ? null : <Took startedAt={run.startedAt} endedAt={run.endedAt} />}
        <Fact name={t.why}>{reasons[run.trigger.kind]}</Fact>
        {space ? (
          <Fact name={t.place}>
            <Link href={`/spaces/${space.id}${thread}`}>{space.name}</Link>
          </Fact>
        ) : null}
        <Fact name={t.model}>{run.model}</Fact>
        <Fact name={t.effortOn}>{run.adapter}</Fact>
        <Fact name={t.mode}>{modes[run.mode][0]}</Fact>
        <Fact name={t.sandbox}>{run.sandbox}</Fact>
        {run.branch === null ? null : (
          <Fact name={t.branch}>
            <code>{run.branch}</code>
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Took({ startedAt, endedAt }: { startedAt: number; endedAt: number | null }) {
  const t = useText(runWords);
  const now = useNow();
  const seconds = Math.floor(Math.max(0, now - startedAt) / 1_000);
  return (
    <Fact name={endedAt === null ? t.soFar : t.took}>
      {duration(endedAt === null ? seconds * 1_000 : endedAt - startedAt)}
    </Fact>
  );
}

/** Own, below and together; a part that is not known makes a sum the least that it can be. */
function Costs({ node }: { node: TreeNode }) {
  const t = useText(runWords);
  const below = node.children.flatMap(flat);
  const say = ({ micros, isPartial }: Spent) =>
    isPartial ? (micros === 0 ? t.costUnknown : t.atLeast(money(micros))) : money(micros);
  return (
    <div>
      <h2>{t.cost}</h2>
      <dl className={css.sums}>
        <Fact name={t.own}>{say(spentBy([node]))}</Fact>
        {below.length > 0 ? (
          <>
            <Fact name={t.subAgents}>{say(spentBy(below))}</Fact>
            <Fact name={t.total}>
              <strong>{say(spentBy([node, ...below]))}</strong>
            </Fact>
          </>
        ) : null}
      </dl>
    </div>
  );
}

/** Of the run, and with what is below it; none of the three kinds is in another. */
function Tokens({ node }: { node: TreeNode }) {
  const t = useText(runWords);
  const below = node.children.flatMap(flat);
  const all = tokensOf([node, ...below]);
  const { tokens, cacheReadShare } = node;
  const say = (own: number, together: number) => (
    <>
      {count(own)}
      {below.length > 0 ? <span className={css.below}>{t.withSubAgents(count(together))}</span> : null}
    </>
  );
  return (
    <div>
      <h2>{t.tokens}</h2>
      <dl className={css.sums}>
        <Fact name={t.tokensIn}>{say(tokens.input + tokens.cacheWrite, all.input + all.cacheWrite)}</Fact>
        <Fact name={t.tokensOut}>{say(tokens.output, all.output)}</Fact>
        <Fact name={t.tokensCached}>
          {say(tokens.cacheRead, all.cacheRead)}
          {cacheReadShare === null ? null : (
            <span className={css.soft}> {t.cacheShare(percent(cacheReadShare))}</span>
          )}
        </Fact>
      </dl>
    </div>
  );
}
