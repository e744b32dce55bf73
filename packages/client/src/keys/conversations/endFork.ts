import { routes } from '@nolo/api';
import { noAccount, toUuid, type Change } from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import { readDecisions } from '../people.ts';
import { switchTo } from './branches.ts';
import type { Conversation } from './conversation.ts';
import { signBareChange, signChanges } from './groupChanges.ts';
import { buildNext, prepare, type Preparing } from './prepare.ts';
import { endableFork } from './questions.ts';
import { storeConversation, syncConversation } from './syncConversation.ts';

/** Ending a fork of a conversation's headers (docs/encryption.md, section 4, change 8). */

/** Removes a member again. The next header says so. */
async function removeMember({ context, facts }: Preparing, userId: string): Promise<void> {
  try {
    await context.call(routes.removeGroupMember, { params: { id: facts.id, userId } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

/**
 * Continues the branch that the server shows: removes there whom the other one removed, and commits a header that names
 * the other one. Does nothing if no fork is left that this account can end.
 *
 * @throws ApiError if the server cannot be asked, or refuses
 */
export async function endFork(preparing: Preparing, known: Conversation): Promise<Conversation> {
  const { context, work, reader } = preparing;
  const synced = await syncConversation(context, work, reader, known);
  const fork = await endableFork({ ...preparing, conversation: synced });
  if (!fork) return synced;
  const continued = switchTo(synced, fork.chain);
  const state = await readDecisions(context, work, reader);
  await storeConversation({ context, work, state }, synced, continued);
  for (const account of fork.removes) await removeMember(preparing, toUuid(account));
  const removed = fork.removes.map(toUuid);
  const facts = { ...preparing.facts, memberIds: preparing.facts.memberIds.filter((id) => !removed.includes(id)) };
  const prepared = await prepare({ ...preparing, facts }, continued, []);
  const bare: Change = { type: 8, account: noAccount, other: fork.named, evidence: null };
  const removals = removed.map((userId) => ({ kind: 'remove', userId }) as const);
  const changes = [await signBareChange(prepared, bare), ...(await signChanges(prepared, removals))];
  const built = await buildNext(prepared, { signed: changes, isAgain: true });
  if (built.state === 'blocked') return continued;
  const body = built.pending.request;
  await context.call(routes.commitEpoch, { params: { id: facts.id }, body });
  return syncConversation(context, work, reader, built.prepared.conversation);
}
