import * as z from 'zod';
import { Actor } from '../../kit/actor.ts';

const Branch = z.string().min(1).max(250);
const Key = z.string().min(1).max(200);

export const CommitRequest = z.strictObject({
  conversationId: z.string().min(1).max(80),
  message: z.string().min(1).max(20_000),
  agentId: z.string().min(1).max(80),
  requestedBy: Actor.nullish(),
  key: Key,
});
export type CommitRequest = z.infer<typeof CommitRequest>;

export const CloseRequest = z.strictObject({ budgetScope: z.string().min(1).max(80) });
export type CloseRequest = z.infer<typeof CloseRequest>;

export const IntegrationRequest = z.strictObject({
  spaceId: z.string().min(1).max(80),
  branch: Branch,
  base: Branch.nullish(),
  merge: z.array(Branch).max(1_000),
  key: Key,
});
export type IntegrationRequest = z.infer<typeof IntegrationRequest>;
