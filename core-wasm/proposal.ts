import { z } from 'zod';
import { unseenFault } from './unseen.ts';

export const PROPOSAL_LIMITS = { tickets: 1000, roles: 64, needs: 10_000, textBytes: 2 << 20 } as const;

function refuseUnseen(text: string, context: z.core.$RefinementCtx<string>): void {
  const message = text.trim() === '' ? null : unseenFault(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
}

/** Keys are ASCII slugs: every order of text agrees about them. */
export const Slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a slug: a-z, 0-9 and single hyphens between, 64 at most');
export const Text = z.string().trim().min(1).max(200_000);
export const Title = z.string().trim().min(1).max(300).superRefine(refuseUnseen);
export const Goal = z.string().trim().min(1).max(8000).describe('The goal, restated');

const SkillName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !/[\p{Cc}\u2028\u2029]/u.test(name), 'must be a single line without control characters')
  .superRefine(refuseUnseen);

const Role = z.strictObject({
  key: Slug,
  title: Title,
  agent: z.union([
    z.strictObject({
      existing: z.string().trim().min(1).max(200).describe('Name of an agent of the workspace'),
    }),
    z.strictObject({
      hire: z.strictObject({
        name: Slug,
        persona: Text,
        skills: z.array(SkillName).max(64).default([]),
      }),
    }),
  ]),
});
export type Role = z.infer<typeof Role>;

const ProposedTicket = z.strictObject({
  key: Slug,
  title: Title,
  description: Text,
  role: Slug.describe('Key of one of the roles'),
  needs: z.array(Slug).default([]).describe('Keys of the tickets that must be done before this one starts'),
  outputSchema: z
    .record(z.string(), z.unknown())
    .nullable()
    .default(null)
    .describe('JSON Schema of the result'),
  references: z
    .array(z.strictObject({ kind: z.enum(['symbol', 'file']), value: z.string().min(1).max(1000) }))
    .max(1000)
    .default([]),
});
export type ProposedTicket = z.infer<typeof ProposedTicket>;

const Brief = z.strictObject({ role: Slug, brief: Text });

export const Proposal = z.strictObject({
  goal: Goal,
  roles: z.array(Role).min(1).max(PROPOSAL_LIMITS.roles),
  research: Brief.nullable().default(null).describe('First phase, read-only; feeds the rest'),
  discussion: z
    .strictObject({ question: Text })
    .nullable()
    .default(null)
    .describe('One round in which each role states its position before work starts'),
  tickets: z.array(ProposedTicket).min(1).max(PROPOSAL_LIMITS.tickets),
  synthesis: Brief.describe('Last step; makes the deliverable of all results'),
  budgetMicros: z.int().positive().describe('Cost budget in micro-dollars'),
});
export type Proposal = z.infer<typeof Proposal>;

/** The input schema of the tool that proposes: fields with a default may be left out. */
export const PROPOSAL_JSON_SCHEMA: Record<string, unknown> = z.toJSONSchema(Proposal, { io: 'input' });
