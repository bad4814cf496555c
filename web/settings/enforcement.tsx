import { useQuery } from '@tanstack/react-query';
import type { Honesty } from '../../services/runs/honesty/honesty.ts';
import { texts, useText } from '../i18n/text.ts';
import { honestyQuery } from '../shell/shell-queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import type { StatusWord } from '../ui/status-words.ts';
import css from './enforcement.module.css';
import { OutOfDate } from './out-of-date.tsx';

const words = texts(
  {
    intro: 'What modes promise, and where this server really holds it. What is not held says so.',
    host: 'This host',
    platform: 'System',
    sandbox: 'Sandbox of commands',
    none: 'none',
    git: 'Git',
    ripgrep: 'Fast search',
    present: 'present',
    absent: 'absent',
    builtIn: 'Built-in loop',
    unavailable: 'Not available',
    holds: { yes: 'Held', partly: 'Partly held', no: 'Not held' },
    questions: {
      surfaceFiltered: 'A tool that the mode takes away is invisible to the model',
      callsIntercepted: 'Each call is judged before it runs',
      ownToolsSeen: 'Tools of the agent’s own are seen',
      contractObserved: 'It is observed whether a run delivered what its mode is for',
      processSandboxed: 'What it starts runs in a sandbox of the operating system',
      worktreeReadOnly: 'In a read-only mode the worktree is read-only below the tools',
    },
    serverWords: '',
  },
  {
    intro: 'Ce que les modes promettent, et où ce serveur le tient vraiment. Ce qui n’est pas tenu est dit.',
    host: 'Cette machine',
    platform: 'Système',
    sandbox: 'Bac à sable des commandes',
    none: 'aucun',
    git: 'Git',
    ripgrep: 'Recherche rapide',
    present: 'présente',
    absent: 'absente',
    builtIn: 'Boucle intégrée',
    unavailable: 'Non disponible',
    holds: { yes: 'Tenu', partly: 'Tenu en partie', no: 'Non tenu' },
    questions: {
      surfaceFiltered: 'Un outil que le mode retire est invisible pour le modèle',
      callsIntercepted: 'Chaque appel est jugé avant de s’exécuter',
      ownToolsSeen: 'Les outils propres à l’agent sont vus',
      contractObserved: 'On observe si une exécution a livré ce pour quoi son mode existe',
      processSandboxed: 'Ce qu’il lance s’exécute dans un bac à sable du système',
      worktreeReadOnly: 'Dans un mode en lecture seule, la copie de travail l’est aussi sous les outils',
    },
    serverWords: 'Les explications viennent du serveur, en anglais.',
  },
);

const SHAPES: Record<'yes' | 'partly' | 'no', StatusWord> = { yes: 'done', partly: 'blocked', no: 'failed' };

/** Where each guarantee of a mode is really held, with each adapter, on this host. */
export function Enforcement({ ws }: { ws: string }) {
  const t = useText(words);
  const honesty = useQuery(honestyQuery(ws));
  if (honesty.error && !honesty.data)
    return <Failed error={honesty.error} onRetry={() => void honesty.refetch()} />;
  if (!honesty.data) return <Loading />;
  const { host, adapters } = honesty.data;
  return (
    <div className={css.enforcement}>
      <OutOfDate look={honesty} />
      <p className={css.soft}>
        {t.intro} {t.serverWords}
      </p>
      <section aria-label={t.host}>
        <h2>{t.host}</h2>
        <HostFacts host={host} />
      </section>
      {adapters.map((adapter) => (
        <Adapter key={adapter.adapter} adapter={adapter} />
      ))}
    </div>
  );
}

function HostFacts({ host }: { host: Honesty['host'] }) {
  const t = useText(words);
  const { backend, reason } = host.sandbox;
  return (
    <dl className={css.host}>
      <dt>{t.platform}</dt>
      <dd>{host.platform}</dd>
      <dt>{t.sandbox}</dt>
      <dd>
        <Status status={backend === null ? 'failed' : 'done'} label={backend ?? t.none} />
        {reason ? <p className={css.soft}>{reason}</p> : null}
      </dd>
      <dt>{t.git}</dt>
      <dd>{host.git ?? t.none}</dd>
      <dt>{t.ripgrep}</dt>
      <dd>{host.ripgrep ? t.present : t.absent}</dd>
    </dl>
  );
}

function Adapter({ adapter }: { adapter: Honesty['adapters'][number] }) {
  const t = useText(words);
  const name = adapter.adapter === 'cc-harness' ? t.builtIn : adapter.adapter;
  return (
    <section aria-label={name}>
      <h2 className={css.adapter}>
        {name} {adapter.available ? null : <Badge>{t.unavailable}</Badge>}
      </h2>
      {adapter.reason ? <p className={css.soft}>{adapter.reason}</p> : null}
      <dl className={css.facts}>
        {Object.entries(adapter.facts).map(([question, { holds, how }]) => (
          <div key={question} className={css.fact}>
            <dt>{t.questions[question as keyof typeof t.questions]}</dt>
            <dd>
              <Status status={SHAPES[holds]} label={t.holds[holds]} />
              <p className={css.soft}>{how}</p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
