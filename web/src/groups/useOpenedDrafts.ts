import type { UnapprovedMessage } from '@nolo/api';
import type { StoredMessage } from '@nolo/client/chat/rowOpening';
import { openHeldMessages } from '@nolo/client/chat/sealedDecisions';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useChat, useChatState } from '../chat/context/chatContext.ts';
import { groupKeys } from '../chat/context/groupQueries.ts';
import { useUnapprovedMessages } from '../chat/context/groupScreenQueries.ts';

/** Message pending approval. */
export interface Draft {
  /** Message as the server lists it. */
  readonly listed: UnapprovedMessage;
  /** Undefined while this device opens it. */
  readonly row: StoredMessage | undefined;
}

/**
 * Lists messages pending approval, sealed ones opened: all of them for admins, own ones for everyone else. Those that
 * wait for a key open once it has arrived.
 */
export function useOpenedDrafts(id: string) {
  const { engine } = useChat();
  const list = useUnapprovedMessages(id, true);
  const listed = list.data?.items;
  const standing = useChatState((state) => state.standings[id]);
  const opening = useQuery({
    queryKey: [...groupKeys.unapprovedMessages(id), listed?.map((draft) => draft.id)],
    queryFn: () => openHeldMessages(engine, id, listed ?? []),
    enabled: listed !== undefined,
    placeholderData: keepPreviousData,
  });
  const { data: rows, refetch } = opening;
  const isWaiting = rows?.some((row) => row.opening?.state === 'waiting') === true;
  useEffect(() => {
    if (isWaiting) void refetch();
    // The engine replaces the standing whenever a key may have arrived.
  }, [standing, isWaiting, refetch]);
  const drafts = listed?.map((draft): Draft => ({ listed: draft, row: rows?.find((row) => row.id === draft.id) }));
  const isError = list.isError || opening.isError;
  return {
    data: drafts && !(opening.isError && rows === undefined) ? { items: drafts } : undefined,
    isError,
    isFetching: list.isFetching || opening.isFetching,
    refetch: () => (list.isError ? list.refetch() : refetch()),
  };
}
