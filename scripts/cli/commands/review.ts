import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { isLoopback } from '../connect.ts';
import { repositoryName } from '../job/start-job.ts';
import { chosenWorkspaces, locate } from '../locate.ts';
import { type PlaceOptions, policyPlace } from '../policy-place.ts';
import { onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { reviewsTable, reviewText } from '../render/review-text.ts';

type Call = RemoteCall<RemoteOptions>;
type OpenOptions = RemoteOptions & PlaceOptions & { repo?: string };

export function addReview(program: Command, cli: Cli): void {
  const review = program
    .command('review')
    .description('open pull requests for review, follow and publish them');
  const open = review
    .command('open')
    .description('open a pull request in a space of its own, in review mode')
    .argument('<url>', 'of the pull request')
    .option('--agent <name>', 'an agent that reviews in it')
    .option('--repo <path>', 'a clone of the repository for its agents to read');
  onRemoteAction<OpenOptions>(cli, open, openReview);
  const list = review.command('list', { isDefault: true }).description('list reviews, newest first');
  onRemoteAction(cli, list, listReviews);
  addOne(review, cli, 'show', 'show findings, axes and verdict', showReview);
  addOne(review, cli, 'refresh', 'look at the pull request again', refreshReview);
  addOne(review, cli, 'publish', 'send the newest verdict and its findings to the provider', publishReview);
}

function addOne(
  review: Command,
  cli: Cli,
  name: string,
  description: string,
  work: Parameters<typeof onRemoteAction<RemoteOptions>>[2],
): void {
  onRemoteAction(cli, review.command(name).description(description).argument('<id>', 'the review'), work);
}

async function openReview({ client, options, args: [url = ''], context }: RemoteCall<OpenOptions>) {
  const { workspaceId, agentId } = await policyPlace(client, options);
  const repositories =
    options.repo === undefined ? [] : [repositoryAt(client.url, options.repo, context.cwd)];
  const review = { url, repositories, agents: agentId === undefined ? [] : [agentId] };
  const value = await client.openReview(workspaceId, review, `review/${crypto.randomUUID()}`);
  const text = `${value.repository}#${value.number} is under review: ${value.id}, in the space ${value.spaceId}.`;
  return { value, text };
}

/** On another machine a path means another disk: there it must be given whole, and that machine judges it. */
function repositoryAt(url: string, given: string, cwd: string) {
  const path = isLoopback(url) ? resolve(cwd, given) : given;
  if (!path.startsWith('/')) throw usageError(`--repo must be a whole path on ${url}.`);
  return { name: repositoryName(path), path };
}

async function listReviews({ client, options }: Call) {
  const items = [];
  for (const { id } of await chosenWorkspaces(client, options.workspace)) {
    items.push(...(await client.reviews(id)));
  }
  items.sort((a, b) => b.createdAt - a.createdAt);
  return { value: { items }, text: reviewsTable(items) };
}

async function showReview({ client, options, args: [id = ''], context }: Call) {
  const { found } = await locateReview(client, options.workspace, id);
  return { value: found, text: reviewText(found, context.terminal.paint) };
}

async function refreshReview({ client, options, args: [id = ''], context }: Call) {
  const { workspaceId } = await locateReview(client, options.workspace, id);
  const value = await client.refreshReview(workspaceId, id, `review/${crypto.randomUUID()}`);
  return { value, text: reviewText(value, context.terminal.paint) };
}

/** For the head that was read: a verdict on another one is not what is published. */
async function publishReview({ client, options, args: [id = ''] }: Call) {
  const { workspaceId, found } = await locateReview(client, options.workspace, id);
  const value = await client.publishReview(workspaceId, id, found.headSha, `review/${crypto.randomUUID()}`);
  const where = value.providerUrl === null ? '' : ` See ${value.providerUrl}`;
  return {
    value,
    text: value.state === 'published' ? `Published.${where}` : `${value.state}: ${value.reason}`,
  };
}

function locateReview(client: Call['client'], workspace: string | undefined, id: string) {
  return locate(client, workspace, 'review', id, (ws) => client.review(ws, id));
}
