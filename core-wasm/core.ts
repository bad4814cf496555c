// biome-ignore-all lint/performance/noBarrelFile: the one entry of the core, so that its inside can change freely
export { CoreError, type CoreErrorCode } from './errors.ts';
export type { EstimateNode } from './estimate-graph.ts';
export type { EstimateOptions } from './estimate-options.ts';
export type { Estimate, EstimateTotals, NodeEstimate, Range } from './estimate-result.ts';
export type { RoleHistory } from './estimate-samples.ts';
export { estimate, estimateNodes, loadGraph } from './estimator.ts';
export { type GraphNode, type Ordering, orderGraph } from './graph.ts';
export { coreDigest } from './instance.ts';
export type { LoadedGraph } from './loaded-graph.ts';
export { type MaterializeOptions, materialize, type ResolvedRole } from './materializer.ts';
export { type ApprovedPart, partOf } from './part.ts';
export { type Pipeline, type PipelineStep, pipelineJson, type StepKind } from './pipeline.ts';
export {
  compilePlan,
  DEFAULT_PLAN_BUDGET_MICROS,
  PlanDocument,
  type PlanNode,
  planOf,
  validatePlan,
} from './plan.ts';
export {
  AUTONOMY,
  Autonomy,
  type CallQuestion,
  type DecidedBy,
  decideCall,
  decideEffects,
  defaultAction,
  type EffectsQuestion,
  GuardrailRule,
  type PolicyDecision,
  RULE_ACTIONS,
  RULE_SCOPES,
  RuleAction,
  RuleScope,
} from './policy.ts';
export * from './profile.ts';
export {
  PROPOSAL_JSON_SCHEMA,
  PROPOSAL_LIMITS,
  Proposal,
  type ProposedTicket,
  type Role,
} from './proposal.ts';
export type { ProposalFault, ProposalFaultCode } from './proposal-fault.ts';
export { validateProposal } from './proposal-validation.ts';
export { isCallAllowed, type ToolFacts, toolSurface } from './surface.ts';
export { nameKey, unseenFault, withoutUnseen } from './unseen.ts';
export {
  type AxisResult,
  baseVerdict,
  combineVerdict,
  type Finding,
  VERDICTS,
  type Verdict,
} from './verdict.ts';
