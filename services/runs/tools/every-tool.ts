import { addReviewNode } from './add-review-node.ts';
import { askUser } from './ask-user.ts';
import { commentTicket } from './comment-ticket.ts';
import { confirmReviewNode } from './confirm-review-node.ts';
import { createTicket } from './create-ticket.ts';
import { deleteFile } from './delete-file.ts';
import { editFile } from './edit-file.ts';
import { exitPlanMode } from './exit-plan-mode.ts';
import { fetchUrl } from './fetch-url.ts';
import { finalizeReview } from './finalize-review.ts';
import { gitCommit } from './git-commit.ts';
import { gitDiff } from './git-diff.ts';
import { gitLog } from './git-log.ts';
import { listAgents } from './list-agents.ts';
import { listFiles } from './list-files.ts';
import { listTickets } from './list-tickets.ts';
import { postMessage } from './post-message.ts';
import { proposeOrchestration } from './propose-orchestration.ts';
import { readAttachment } from './read-attachment.ts';
import { readFile } from './read-file.ts';
import { readOutput } from './read-output.ts';
import { readReview } from './read-review.ts';
import { readSpace } from './read-space.ts';
import { readTicket } from './read-ticket.ts';
import { runCommand } from './run-command.ts';
import { runSubagent } from './run-subagent.ts';
import { searchFiles } from './search-files.ts';
import { submitPlan } from './submit-plan.ts';
import type { Tool } from './tool.ts';
import { updateTicket } from './update-ticket.ts';
import { writeFile } from './write-file.ts';

/** Every tool there is, in the order in which surfaces, prompts and requests name them. */
export const EVERY_TOOL: readonly Tool[] = [
  ...[readFile, listFiles, searchFiles, fetchUrl, gitLog, gitDiff, readOutput],
  ...[readTicket, listTickets, listAgents, readSpace, readAttachment, readReview],
  ...[runSubagent, askUser, submitPlan, proposeOrchestration, exitPlanMode],
  ...[writeFile, editFile, deleteFile, postMessage],
  ...[createTicket, updateTicket, commentTicket, gitCommit],
  ...[addReviewNode, confirmReviewNode, finalizeReview],
  runCommand,
];
