import type { GroupChat } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Conversation as ConversationRow } from '@nolo/proto/conversation';
import type { Clients } from '../clients.ts';
import { createGatewayError } from '../errors.ts';
import { toGroupChat } from './groups.ts';
import { findPeople } from './findPeople.ts';

const skipReasons = ['already_member', 'banned', 'unavailable'] as const;

export function toSkippedPeople(rows: readonly { userId: string; reason: string }[]) {
  return rows.map(({ userId, reason }) => ({
    userId,
    reason: skipReasons.find((known) => known === reason) ?? 'unavailable',
  }));
}

/**
 * Returns whether the group is public. Groups that require approval are private, so contradictory fields are refused
 * (decision 16).
 */
export function resolveIsPublic(
  isPublic: boolean | undefined,
  requireApproval: boolean | undefined,
): boolean | undefined {
  if (isPublic !== undefined && requireApproval !== undefined && isPublic === requireApproval) {
    throw createGatewayError(
      'invalid',
      'invalid_input',
      'isPublic and settings.requireApproval contradict each other.',
      {
        fields: { 'settings.requireApproval': 'contradicts isPublic' },
      },
    );
  }
  return isPublic ?? (requireApproval === undefined ? undefined : !requireApproval);
}

/** Builds groups as a member sees them, including the people that a list shows. */
export function createGroupComposer(context: Pick<Clients, 'identity'>) {
  const composeAll = async (
    viewerId: string,
    rows: readonly ConversationRow[],
    rpc: RpcCallOptions,
  ): Promise<GroupChat[]> => {
    const shown = rows.flatMap(({ members }) => members.map(({ userId }) => userId));
    const people = await findPeople(context, viewerId, shown, rpc);
    return rows.map((row) => toGroupChat(row, people));
  };
  const compose = async (viewerId: string, row: ConversationRow, rpc: RpcCallOptions): Promise<GroupChat> => {
    const [group] = await composeAll(viewerId, [row], rpc);
    return group ?? toGroupChat(row, new Map());
  };
  return { compose, composeAll };
}
