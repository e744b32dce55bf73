import { routes, type Conversation, type GroupChat } from '@nolo/api';
import { lastActivityOf, countJoinRequestsForAdmin } from '@nolo/client/chat/chatStore';
import { isWaitingForAcceptance } from '@nolo/client/chat/hiding';
import { limits } from '@nolo/rules';
import { useEffect, useMemo } from 'react';
import { call, callPage } from '../../api/httpClient.ts';
import { usePages } from '../../api/usePages.ts';
import { useChat, useChatState } from './chatContext.ts';
import { groupKeys, useGroupQuery, useRefetchOnReconnect } from './groupQueries.ts';

/* Queries of screens about groups. Those of the list of conversations are in groupQueries.ts, which loads first. */

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

/** Returns a group as its members see it, including data that conversation rows lack: the number of join requests. */
const useGroupInfo = (id: string, enabled: boolean) =>
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
