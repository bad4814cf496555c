import { EffectClass } from '../../../../../core-wasm/core.ts';
import { effectsOf } from '../effects.ts';
import { type Option, type Program, type Reading, ROLES, type Role } from '../programs/program.ts';

/** A reading whose lists have been taken apart. */
export interface Compiled {
  reading: Reading;
  does: readonly EffectClass[];
  options: readonly Option[];
  operands: readonly Role[];
  commands: ReadonlyMap<string, Compiled> | null;
  bare: Compiled | null;
  otherwise: Compiled | null;
}

const OPTION = /^([^:!?]+)(\?)?(?::([a-z]+))?(?:!([a-z_,]+))?$/;

/** Throws a TypeError for a role or a class that does not exist. */
export function compile(source: string | Reading): Compiled {
  const reading: Reading = typeof source === 'string' ? { does: source } : source;
  return {
    reading,
    does: effectsOf(reading.does ?? ''),
    options: listOf(reading.options).map(optionOf),
    operands: listOf(reading.operands ?? 'look').map(roleOf),
    commands: reading.commands ? new Map(Object.entries(reading.commands).flatMap(commandOf)) : null,
    bare: reading.bare === undefined ? null : compile(reading.bare),
    otherwise: reading.otherwise === undefined ? null : compile(reading.otherwise),
  };
}

/** Every program of the tables by each of its names. */
export function compileAll(programs: readonly Program[]): Map<string, Compiled> {
  const all = new Map<string, Compiled>();
  for (const program of programs) {
    const compiled = compile(program);
    for (const name of listOf(program.names)) {
      if (all.has(name)) throw new TypeError(`${name} is in the tables twice.`);
      all.set(name, compiled);
    }
  }
  return all;
}

function commandOf([names, source]: [string, string | Reading]): [string, Compiled][] {
  const compiled = compile(source);
  return listOf(names).map((name) => [name, compiled]);
}

const listOf = (list: string | undefined): string[] =>
  (list ?? '').split(/\s+/).filter((name) => name !== '');

function roleOf(name: string): Role {
  const role = ROLES.find((known) => known === name);
  if (!role) throw new TypeError(`There is no role ${name}.`);
  return role;
}

function optionOf(entry: string): Option {
  const [, names, attached, role, effects] = OPTION.exec(entry) ?? [];
  if (names === undefined) throw new TypeError(`${entry} is no option.`);
  return {
    names: names.split('|'),
    role: role === undefined ? null : roleOf(role),
    attached: attached !== undefined,
    effects: (effects?.split(',') ?? []).map((effect) => EffectClass.parse(effect)),
  };
}
