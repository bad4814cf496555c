import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';

/** Someone who can own work or stand in a team: a member or an agent, never a service. */
export const Colleague = z
  .string()
  .regex(/^(person:mem|agent:agt)_[a-z0-9]{1,64}$/, 'must be `person:mem_…` or `agent:agt_…`')
  .transform((text) => text as Actor);
