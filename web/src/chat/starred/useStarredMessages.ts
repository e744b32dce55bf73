import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { usePages, type PageItem } from '../../api/usePages.ts';
import { useChat, useChatState } from '../context/chatContext.ts';

const perPage = 50;
const starredKey = ['starred'];

export type StarredMessage = PageItem<typeof routes.listStarred>;

export type StarredMessages = ReturnType<typeof useStarredMessages>;

/** Returns the user's starred messages. Reloads them when stars change on any device. */
export function useStarredMessages() {
  const pages = useStarredPages();
  const known = useChatState((state) => state.starred);
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  // Messages starred again, and those whose star could not be removed, reappear.
  const isGone = (id: string) => removed.has(id) && known[id] !== true;
  return {
    messages: pages.data?.pages
      .flatMap(({ items }) => items)
      .filter(({ message }) => message.deletedAt === null && !isGone(message.id)),
    pages,
    /** Removes the row immediately, and reloads the list. */
    remove: (id: string) => setRemoved((others) => new Set([...others, id])),
  };
}

function useStarredPages() {
  const { engine } = useChat();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      engine.store.subscribe(({ starred }, before) => {
        if (starred !== before.starred) void queryClient.invalidateQueries({ queryKey: starredKey });
      }),
    [engine, queryClient],
  );
  const query = usePages(routes.listStarred, {
    queryKey: starredKey,
    query: { limit: perPage },
    open: async (items) => {
      const messages = await engine.openRows(items.map(({ message }) => message));
      return items.map((item, index) => ({ ...item, message: messages[index] ?? item.message }));
    },
  });
  const { data } = query;
  useEffect(() => {
    engine.learnPeople(
      (data?.pages ?? []).flatMap(({ items }) => items.flatMap(({ message }) => message.sender ?? [])),
    );
  }, [engine, data]);
  return query;
}
