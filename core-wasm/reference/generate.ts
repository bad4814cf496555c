import type { Proposal, ProposedTicket, ResolvedRole, Role, RoleHistory } from '../core.ts';
import { ReferenceRandom } from './random.ts';

const WORDS = [
  'plan',
  'böse',
  'naïve',
  '日本',
  '🙂',
  '\ud83d',
  'tab\t',
  '"quoted"',
  '\u2028',
  'back\\slash',
  'x',
];

export interface GeneratedPlan {
  proposal: Proposal;
  roles: ResolvedRole[];
  histories: Record<string, RoleHistory>;
}

/** Seeded proposals, so that every runtime and every run works on the same ones. */
export class Generator {
  private readonly random: ReferenceRandom;

  constructor(seed: number) {
    this.random = new ReferenceRandom(seed);
  }

  below(count: number): number {
    return this.random.below(count);
  }

  private chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  private text(): string {
    return `§ ${Array.from({ length: this.below(6) }, () => WORDS[this.below(WORDS.length)]).join(' ')}.`;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [copy[i], copy[j]] = [copy[j]!, copy[i]!];
    }
    return copy;
  }

  private schema(): Record<string, unknown> | null {
    if (this.chance(2)) return null;
    const names = this.shuffled(['b', 'a', '10', '9', 'ä', 'Z']);
    return {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { title: this.text() }])),
    };
  }

  private role(i: number): Role {
    const agent: Role['agent'] = this.chance(2)
      ? { existing: `Agent ${i}` }
      : { hire: { name: `hire-${i}`, persona: this.text(), skills: [] } };
    return { key: `role-${i}`, title: this.text(), agent };
  }

  /** Tickets in a random order of keys, so that indices are no topological order. */
  private tickets(count: number, roles: number): ProposedTicket[] {
    const keys = this.shuffled(Array.from({ length: count }, (_, i) => `t${i}`));
    const tickets = keys.map((key, i): ProposedTicket => {
      const needs = new Set(Array.from({ length: i === 0 ? 0 : this.below(4) }, () => keys[this.below(i)]!));
      const role = `role-${this.below(roles)}`;
      const texts = { title: this.text(), description: this.text() };
      return { key, ...texts, role, needs: [...needs], outputSchema: this.schema(), references: [] };
    });
    return this.shuffled(tickets);
  }

  private samples(): number[] {
    return Array.from({ length: this.below(40) }, () => this.below(1_000_000) * this.below(5000));
  }

  plan(mostTickets: number): GeneratedPlan {
    const roles = Array.from({ length: 1 + this.below(6) }, (_, i) => this.role(i));
    const someRole = (): string => roles[this.below(roles.length)]!.key;
    const proposal: Proposal = {
      goal: this.text(),
      roles,
      research: this.chance(2) ? { role: someRole(), brief: this.text() } : null,
      discussion: this.chance(2) ? { question: this.text() } : null,
      tickets: this.tickets(1 + this.below(mostTickets), roles.length),
      synthesis: { role: someRole(), brief: this.text() },
      budgetMicros: 1 + this.below(1_000_000_000),
    };
    const histories = roles
      .filter(() => !this.chance(4))
      .map(({ key }) => [key, { costMicros: this.samples(), durationMs: this.samples() }]);
    return {
      proposal,
      roles: roles.map(({ key }, i) => ({ key, agentId: `agent_${i}` })),
      histories: Object.fromEntries(histories),
    };
  }
}
