import { parseId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { AlertServiceDefinition } from '@nolo/proto/alerts';
import { parseConversationId } from '../domain/parseIds.ts';
import { clampSeq } from '../domain/cursor.ts';
import { createChatError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

/* RPCs for the notifications service, which do not act for a person. */

const maxPeoplePerCall = 1_000;

function peopleFrom(ids: readonly string[]): UserId[] {
  const people = ids.map((id) => parseId<UserId>(id));
  if (people.length > maxPeoplePerCall || people.includes(undefined)) {
    throw createChatError('invalid', 'message_invalid', 'The list of people is invalid.');
  }
  return people as UserId[];
}

export function listAlerts({
  alerts,
  clock,
}: Dependencies): RpcHandler<typeof AlertServiceDefinition.methods.listAlerts> {
  return async ({ conversationId, firstSeq = 0, lastSeq = firstSeq, userIds, reactedBy }) => {
    const id = parseConversationId(conversationId ?? '');
    const [reactor] = reactedBy === undefined ? [] : peopleFrom([reactedBy]);
    const which = {
      firstSeq: clampSeq(firstSeq),
      lastSeq: clampSeq(lastSeq),
      userIds: userIds.length === 0 ? undefined : peopleFrom(userIds),
    };
    const found = reactor
      ? await alerts.ofReaction(id, which.firstSeq, reactor, clock.now())
      : await alerts.ofMessages(id, which, clock.now());
    return {
      alerts: found.map(({ conversationType: _same, ...alert }) => alert),
      conversationType: found[0]?.conversationType,
    };
  };
}

export function countUnread({
  alerts,
  clock,
}: Dependencies): RpcHandler<typeof AlertServiceDefinition.methods.countUnread> {
  return async ({ userIds }) => {
    const counts = await alerts.countUnread(peopleFrom(userIds), clock.now());
    return { counts: [...counts].map(([userId, count]) => ({ userId, count })) };
  };
}
