import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { GuardrailRule } from '../../../core-wasm/core.ts';
import { pathText } from '../../../services/kit/validate.ts';
import { usageError } from '../command-error.ts';
import { plainLine } from '../plain-text.ts';

const { id: ruleId, scope, scopeId } = GuardrailRule.shape;
/**
 * Written by hand, a rule needs no more than what it is about: it holds for the workspace unless it says otherwise. As a
 * server lists it, it also says who set it and when.
 */
const Rules = z.array(
  GuardrailRule.extend({
    id: ruleId.optional(),
    scope: scope.default('workspace'),
    scopeId: scopeId.default(null),
    setBy: z.string().optional(),
    setAt: z.number().optional(),
  }),
);

/**
 * Rules for one agent in one space, from a JSON file.
 * @throws CommandError usage that names every fault by its path
 */
export async function readRulesFile(path: string, cwd: string): Promise<GuardrailRule[]> {
  const value = parseJson(await readText(resolve(cwd, path), path), path);
  const parsed = Rules.safeParse(value);
  const rules =
    parsed.data?.map(({ setBy, setAt, id, ...rule }, i) => ({ id: id ?? `[${i}]`, ...rule })) ?? [];
  const faults = parsed.success ? clashes(rules) : parsed.error.issues.map(issueText);
  if (faults.length === 0) return rules;
  throw usageError(`The rules in ${JSON.stringify(path)} are not valid: ${faults.join('; ')}.`);
}

async function readText(file: string, path: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usageError(`The rules file ${JSON.stringify(path)} cannot be read: ${(error as Error).message}.`);
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`The rules file ${JSON.stringify(path)} is no JSON: ${(error as Error).message}.`);
  }
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  return plainLine(`${pathText(path) || '(whole)'}: ${message}`, 300);
}

/** What no workspace can hold for one call: two rules for the same thing, rules of two agents or of two spaces. */
function clashes(rules: readonly GuardrailRule[]): string[] {
  return rules.flatMap((rule, i) => {
    const same = rules.findIndex((other) => other.scope === rule.scope && other.effect === rule.effect);
    const sibling = rules.findIndex((other) => other.scope === rule.scope);
    const isForeign = rules[sibling]?.scopeId !== rule.scopeId;
    if (isForeign) return [`[${i}].scopeId: is another ${rule.scope} than that of [${sibling}]`];
    return same === i ? [] : [`[${i}]: [${same}] is a rule for ${rule.effect} of the ${rule.scope} too`];
  });
}
