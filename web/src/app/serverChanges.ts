import type { GroupChat, ServerFrame } from '@nolo/api';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/queries.ts';

const [statuses] = queryKeys.statuses;

/** Milliseconds in which bursts of changes are collected into one fetch. */
const gatherMs = 400;

/** Refetches displayed groups and status updates when the server reports a change. */
export function createServerChangeRefetcher(queryClient: QueryClient): (frame: ServerFrame) => void {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    timer = undefined;
    for (const id of waiting) {
      void queryClient.invalidateQueries({ queryKey: id === statuses ? queryKeys.statuses : ['groups', id] });
    }
    waiting.clear();
  };
  const later = (id: string): void => {
    waiting.add(id);
    timer ??= setTimeout(refresh, gatherMs);
  };
  return (frame) => {
    switch (frame.type) {
      case 'members_changed':
      case 'conversation_updated':
        later('list');
        return later(frame.data.conversationId);
      case 'join_requests_changed': {
        const { conversationId, count } = frame.data;
        queryClient.setQueryData<GroupChat | null>(
          ['groups', conversationId, 'info'],
          (known) => known && { ...known, requestCount: count },
        );
        return later(conversationId);
      }
      case 'held_messages_changed':
        return later(frame.data.conversationId);
      case 'group_invitations_changed':
        later('invitations');
        return later(frame.data.conversationId);
      case 'conversation_removed':
        return later('list');
      case 'conversation_created':
        later('list');
        later('invitations');
        later('own-requests');
        return later('preview');
      case 'join_request_sent':
      case 'join_request_denied':
        later('own-requests');
        // A waiting user knows the group by its code alone.
        return later('preview');
      default:
        if (frame.type.startsWith('status_')) later(statuses);
    }
  };
}
