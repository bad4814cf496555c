import type { Actor } from '../../kit/actor.ts';

/** Who opens the rooms that nobody may open by hand, and publishes what a rule or a person allowed. */
export const SELF: Actor = 'service:reviews';
