import type { DecidedBy, RuleAction } from '../../../core-wasm/core.ts';
import type { Explanation } from '../../../services/runs/guard/explain.ts';
import type { Paint } from '../paint.ts';
import { plainLine, plainText } from '../plain-text.ts';

const PAINTS: Record<RuleAction, keyof Paint> = { allow: 'green', ask: 'yellow', deny: 'red' };

/** An explanation for people: the decision, what it rests on, and what in the line has each effect. */
export function explanationText(explanation: Explanation, paint: Paint): string {
  const { command, decision, classes, rule, reason, findings, understood } = explanation;
  const facts = [
    [paint[PAINTS[decision]](decision.padEnd(8)), plainText(command ?? 'this call')],
    ['effects'.padEnd(8), classes.join(', ') || 'none'],
    ['by'.padEnd(8), decidedByText(rule)],
    ['why'.padEnd(8), plainText(reason)],
    ...(understood
      ? []
      : [['unread'.padEnd(8), 'a part could not be read: it counts as everything a shell can do']]),
  ];
  return [
    ...facts.map(([name, value]) => `${name}  ${value}`),
    ...byReason(findings).map(([because, effects]) => `  ${effects.join(', ')}: ${plainText(because)}`),
  ].join('\n');
}

/** A part that could not be read has every effect for one reason, which is told once. */
function byReason(findings: Explanation['findings']): [string, string[]][] {
  const effects = new Map<string, string[]>();
  for (const { effect, because } of findings) effects.set(because, [...(effects.get(because) ?? []), effect]);
  return [...effects];
}

/** What a decision rests on, in a few words. */
export function decidedByText(rule: DecidedBy): string {
  switch (rule.kind) {
    case 'pinned':
      return `${rule.tool} is pinned by its mode`;
    case 'mode':
      return `${rule.mode} mode`;
    case 'autonomy':
      return `autonomy ${rule.autonomy}`;
    case 'rule':
      return `rule ${plainLine(rule.id, 40)} of the ${rule.scope}: ${rule.action} ${rule.effect}`;
    case 'default':
      return `default: ${rule.action} ${rule.effect}`;
    case 'harmless':
      return 'nothing that a rule could hold back';
  }
}
