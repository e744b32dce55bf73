import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useChatState, usePeopleNames } from '../../app/chatContext.ts';
import { sessionStore } from '../../state/session.ts';
import { nobody } from '../messageText/MessageText.tsx';
import type { Mentioned } from '../messageText/mentions.ts';

/** Those whom a message mentions, as their names may stand in it and as they are called here. */
export function useMentioned(userIds: readonly string[]): readonly Mentioned[] {
  const self = useStore(sessionStore, (state) => state.user);
  const { nameOf } = usePeopleNames();
  const people = useChatState((state) => state.people);
  return useMemo(() => {
    if (userIds.length === 0) return nobody;
    return userIds.map((userId) => {
      const isSelf = userId === self?.id;
      const { firstName = '', displayName = '' } = isSelf ? self : (people[userId] ?? {});
      return {
        userId,
        names: [firstName, displayName],
        label: isSelf ? displayName : nameOf(userId),
        self: isSelf,
      };
    });
  }, [userIds, people, nameOf, self]);
}
