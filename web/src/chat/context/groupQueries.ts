import { routes, type Conversation, type GroupChat, type GroupInvitation, type OwnJoinRequest } from '@nolo/api';
import { limits } from '@nolo/rules';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { call, callPage } from '../../api/httpClient.ts';
import { usePages } from '../../api/usePages.ts';
import { lastActivityOf, countJoinRequestsForAdmin } from '@nolo/client/chat/chatStore';
import { isWaitingForAcceptance } from '@nolo/client/chat/hiding';
import { featureStore } from '../../session/features.ts';
import { useChat, useChatState, useOnReconnect } from './chatContext.ts';

const none: readonly never[] = [];

/** Keys of server data about groups. Their conversations belong to the chat engine. */
export const groupKeys = {
  all: ['groups'],
  list: ['groups', 'list'],
  invitations: ['groups', 'invitations'],
  ownRequests: ['groups', 'own-requests'],
  one: (id: string) => ['groups', id],
  preview: (code: string) => ['groups', 'preview', code],
  info: (id: string) => ['groups', id, 'info'],
  members: (id: string) => ['groups', id, 'members'],
  requests: (id: string) => ['groups', id, 'requests'],
  invited: (id: string) => ['groups', id, 'invited'],
  bans: (id: string) => ['groups', id, 'bans'],
  unapprovedMessages: (id: string) => ['groups', id, 'unapproved'],
} as const;

/** Refetches visible data once the connection is back, because it may have changed meanwhile. */
export function useRefetchOnReconnect(queryKey: readonly string[]): void {
  const queryClient = useQueryClient();
  useOnReconnect(() => void queryClient.invalidateQueries({ queryKey }));
}

/** Returns all members of a group: its pages are loaded one after another, five at most. */
export function useGroupMembers(id: string, enabled = true) {
  const { engine } = useChat();
  useRefetchOnReconnect(groupKeys.members(id));
  const query = usePages(routes.listGroupMembers, {
    queryKey: groupKeys.members(id),
    params: { id },
    query: { limit: limits.groupMembersPerPage },
    enabled,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
    // Depends on the data, because a page that arrives at once never shows as being fetched.
  }, [data, hasNextPage, isFetching, isError, fetchNextPage]);
  const members = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  useEffect(() => {
    if (members) engine.learnPeople(members.flatMap(({ user }) => user ?? []));
  }, [engine, members]);
  return {
    members,
    complete: data !== undefined && !hasNextPage,
    failed: isError,
    fetching: isFetching,
    retry: () => void (query.isFetchNextPageError ? fetchNextPage() : query.refetch()),
  };
}

/** Group data on a card, which conversation rows also have. */
export type ListedGroup = Pick<GroupChat, 'id' | 'name' | 'pictureUrl' | 'memberCount' | 'unreadCount'>;

/** Returns the groups among the conversations on this device, latest activity first; undefined without any. */
function groupsOf(rows: Readonly<Record<string, Conversation>>): readonly ListedGroup[] | undefined {
  const groups = Object.values(rows)
    .filter((row) => row.type === 'group' && !isWaitingForAcceptance(row))
    .toSorted((one, other) => lastActivityOf(other).localeCompare(lastActivityOf(one)));
  if (groups.length === 0) return undefined;
  return groups.map(({ id, name, pictureUrl, memberCount, unreadCount }) => ({
    id,
    name: name ?? '',
    pictureUrl,
    memberCount,
    unreadCount,
  }));
}

export type GroupChatListing = ReturnType<typeof useGroupChats>;

/**
 * Lists the user's groups, page by page, latest activity first. Undefined until the first answer. If the server is
 * unreachable, lists those on the device.
 */
export function useGroupChats(enabled: boolean) {
  useRefetchOnReconnect(groupKeys.list);
  const query = usePages(routes.listGroupChats, { queryKey: groupKeys.list, enabled });
  const rows = useChatState((state) => state.conversations);
  const cut = query.data === undefined && (query.isError || query.isPaused);
  const groups = useMemo(
    (): readonly ListedGroup[] | undefined =>
      query.data?.pages.flatMap(({ items }) => items) ?? (cut ? groupsOf(rows) : undefined),
    [query.data, cut, rows],
  );
  return {
    groups,
    complete: query.data !== undefined && !query.hasNextPage,
    failed: query.isError,
    fetching: query.isFetching,
    retry: () => void query.refetch(),
    more: () => void (query.data ? query.fetchNextPage() : query.refetch()),
  };
}

/** Queries what belongs to groups, and refetches it once the connection is back. */
function useGroupQuery<Data>(
  queryKey: readonly string[],
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>,
  { enabled = true, staleTime = 0 } = {},
) {
  useRefetchOnReconnect(queryKey);
  return useQuery({ queryKey, queryFn, enabled, staleTime });
}

/** Returns a group as its members see it, including data that conversation rows lack: the number of join requests. */
export const useGroupInfo = (id: string, enabled: boolean) =>
  useGroupQuery(
    groupKeys.info(id),
    async ({ signal }) => {
      const group = await call(routes.getGroupChat, { params: { idOrCode: id }, signal });
      return group.membership === 'member' ? group : null;
    },
    { enabled },
  );

export function useJoinRequestCount(conversation: Conversation): number {
  const decides = conversation.myRole !== 'member';
  const { data } = useGroupInfo(conversation.id, decides);
  // A new admin's row does not contain the count yet.
  return decides ? countJoinRequestsForAdmin(conversation) || (data?.requestCount ?? 0) : 0;
}

/** Options of lists that events keep up to date. */
function useLiveOptions() {
  const enabled = useStore(featureStore, (state) => state.features['groups'] === true);
  return { enabled, staleTime: Number.POSITIVE_INFINITY };
}

/** Lists the groups that the user asked to join and that have not answered. */
export const useOwnJoinRequests = (): readonly OwnJoinRequest[] =>
  useGroupQuery(groupKeys.ownRequests, ({ signal }) => call(routes.listOwnJoinRequests, { signal }), useLiveOptions())
    .data ?? none;

export const useGroupInvitations = (): readonly GroupInvitation[] =>
  useGroupQuery(groupKeys.invitations, ({ signal }) => call(routes.listGroupInvitations, { signal }), useLiveOptions())
    .data ?? none;

/** Lists join requests: the first page, because each answer makes room for the next. */
export const useJoinRequests = (id: string) =>
  useGroupQuery(groupKeys.requests(id), ({ signal }) =>
    callPage(routes.listJoinRequests, { params: { id }, query: {}, signal }),
  );

/** Lists pending invitations: the first page, because more are never shown. */
export const useInvitedPeople = (id: string) =>
  useGroupQuery(groupKeys.invited(id), ({ signal }) =>
    callPage(routes.listGroupInvited, { params: { id }, query: {}, signal }),
  );

export function useGroupBans(id: string) {
  useRefetchOnReconnect(groupKeys.bans(id));
  return usePages(routes.listGroupBans, { queryKey: groupKeys.bans(id), params: { id } });
}

/** Lists messages pending approval: all of them for admins, own ones for everyone else. */
export const useUnapprovedMessages = (id: string, enabled: boolean) =>
  useGroupQuery(
    groupKeys.unapprovedMessages(id),
    ({ signal }) => callPage(routes.listHeldMessages, { params: { id }, query: {}, signal }),
    { enabled },
  );

/** Returns the number of messages pending approval that the viewer can see; only moderated groups hold messages. */
export function useUnapprovedMessageCount({ id, group }: Conversation): number {
  const liveCount = useChatState((state) => state.unapprovedCounts[id]);
  const moderated = group?.settings.moderationEnabled === true;
  const { data } = useUnapprovedMessages(id, moderated);
  return liveCount ?? (moderated ? (data?.items.length ?? 0) : 0);
}
