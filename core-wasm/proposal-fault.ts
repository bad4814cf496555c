export type ProposalFaultCode =
  | 'cycle'
  | 'unknown_key'
  | 'unknown_role'
  | 'duplicate_key'
  | 'self_dependency'
  | 'empty'
  | 'too_large'
  | 'invalid'
  | 'case_collision';

export interface ProposalFault {
  /** Where, such as `tickets[2].needs[0]`; empty for the whole. */
  path: string;
  code: ProposalFaultCode;
  /** What is wrong and how to mend it. */
  message: string;
}
