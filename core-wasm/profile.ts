import { z } from 'zod';

export const MODES = ['chat', 'review', 'plan', 'orchestrate'] as const;
export const Mode = z.enum(MODES);
export type Mode = z.infer<typeof Mode>;

export const APPROVAL_TIERS = ['read', 'write', 'execute'] as const;
export const ApprovalTier = z.enum(APPROVAL_TIERS);
export type ApprovalTier = z.infer<typeof ApprovalTier>;

export const EFFECT_CLASSES = [
  'file_write',
  'file_delete',
  'write_outside_worktree',
  'git_commit',
  'git_push',
  'pr_create',
  'pr_publish',
  'provider_sync_write',
  'package_install',
  'process_launch',
  'workspace_mutation',
  'enclosure_control',
  'network_egress',
  'secret_access',
] as const;
export const EffectClass = z.enum(EFFECT_CLASSES);
export type EffectClass = z.infer<typeof EffectClass>;

/** Everything a mode guarantees; each layer that enforces a mode is derived from this value. */
export interface CapabilityProfile {
  mode: Mode;
  version: number;
  label: string;
  worktree: 'writable' | 'read-only';
  maxTier: ApprovalTier;
  /** Holds write tier and up; null when nothing is held. */
  allowList: readonly string[] | null;
  denyList: readonly string[];
  /** Always on the surface, whatever the rest of the profile says. */
  pinned: readonly string[];
  exitVerb: 'submit_plan' | 'propose_orchestration' | null;
  deniedEffects: readonly EffectClass[];
  userSelectable: boolean;
}

const WORLD_CHANGING: readonly EffectClass[] = [
  'file_delete',
  'write_outside_worktree',
  'git_commit',
  'git_push',
  'pr_create',
  'pr_publish',
  'provider_sync_write',
  'package_install',
  'process_launch',
  'workspace_mutation',
  'enclosure_control',
];

const RESEARCH = [
  ...['read_file', 'list_files', 'search_files', 'fetch_url', 'read_skill', 'git_log', 'git_diff'],
  'read_output',
  ...[
    'read_ticket',
    'list_tickets',
    'list_agents',
    'read_space',
    'read_attachment',
    'run_subagent',
    'read_review',
  ],
];

const REVIEW = [
  ...['add_review_node', 'confirm_review_node', 'finalize_review', 'read_review'],
  ...['create_ticket', 'update_ticket', 'comment_ticket', 'post_message'],
];

const distinct = (names: readonly string[]): string[] => [...new Set(names)];

/** What the three read-only modes share. */
const readOnly = { version: 1, worktree: 'read-only', deniedEffects: WORLD_CHANGING } as const;

const PROFILES: Record<Mode, CapabilityProfile> = {
  chat: {
    mode: 'chat',
    version: 1,
    label: 'Agent',
    worktree: 'writable',
    maxTier: 'execute',
    allowList: null,
    denyList: ['exit_plan_mode'],
    pinned: ['ask_user'],
    exitVerb: null,
    deniedEffects: [],
    userSelectable: true,
  },
  review: {
    ...readOnly,
    mode: 'review',
    label: 'Review',
    maxTier: 'write',
    allowList: distinct([...REVIEW, ...RESEARCH, 'ask_user']),
    denyList: ['submit_plan', 'propose_orchestration', 'exit_plan_mode'],
    pinned: ['ask_user'],
    exitVerb: null,
    userSelectable: false,
  },
  plan: {
    ...readOnly,
    mode: 'plan',
    label: 'Plan',
    maxTier: 'read',
    allowList: [...RESEARCH, 'submit_plan', 'exit_plan_mode', 'ask_user'],
    denyList: ['propose_orchestration'],
    pinned: ['submit_plan', 'exit_plan_mode', 'ask_user'],
    exitVerb: 'submit_plan',
    userSelectable: true,
  },
  orchestrate: {
    ...readOnly,
    mode: 'orchestrate',
    label: 'Orchestrate',
    maxTier: 'read',
    allowList: [...RESEARCH, 'propose_orchestration', 'ask_user'],
    denyList: ['submit_plan', 'exit_plan_mode'],
    pinned: ['propose_orchestration', 'ask_user'],
    exitVerb: 'propose_orchestration',
    userSelectable: true,
  },
};

function freeze(profile: CapabilityProfile): void {
  for (const value of Object.values(profile)) if (Array.isArray(value)) Object.freeze(value);
  Object.freeze(profile);
}
for (const mode of MODES) freeze(PROFILES[mode]);

/** The frozen profile of a mode. Throws a ZodError for a mode that does not exist: nothing is assumed about it. */
export const capabilityProfile = (mode: Mode): CapabilityProfile => PROFILES[Mode.parse(mode)];

const PINNABLE: readonly unknown[] = ['chat', 'review', 'plan'];

/**
 * The mode of a room that a pipeline node opens: what its `extras` pin, exactly `chat`, `review` or `plan`; any other
 * value, `orchestrate` included, is passed over.
 */
export function roomMode(extras: Readonly<Record<string, unknown>>, bodyDefault: Mode): Mode {
  const pinned = Object.hasOwn(extras, 'mode') ? extras.mode : undefined;
  return PINNABLE.includes(pinned) ? (pinned as Mode) : bodyDefault;
}
