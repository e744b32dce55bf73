import type { Conversation, User } from '@nolo/api';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { lazyOptional } from '../../ui/lazyComponents.tsx';
import { runWhenIdle } from '../../ui/scheduler.ts';
import { useChatState } from '../context/chatContext.ts';
import { useGroupMembers } from '../context/groupScreenQueries.ts';

const IdentityNotices = lazyOptional(async () => (await import('../../keys/IdentityNotices.tsx')).IdentityNotices);

/** Lines about people of the conversation whose keys changed, one for each person. */
export function ChangedIdentities({ conversation, name }: { conversation: Conversation; name: string }) {
  const { id, type, otherUser } = conversation;
  const people = useMemo(() => (otherUser ? [{ userId: otherUser.id, name }] : []), [otherUser, name]);
  // The card above the composer asks the same while messages wait for the answer.
  const isAskedThere = useChatState(({ standings }) => {
    const send = standings[id]?.send;
    return send?.state === 'question' && send.questions.some(({ kind }) => kind === 'identity' || kind === 'undecided');
  });
  if (isAskedThere) return null;
  if (type === 'direct' && people.length > 0) {
    return (
      <Suspense>
        <IdentityNotices people={people} />
      </Suspense>
    );
  }
  return type === 'group' ? <OnceIdle key={id} conversation={conversation} /> : null;
}

/** Waits until the group is shown: its people must not delay its messages. */
function OnceIdle({ conversation }: { conversation: Conversation }) {
  const [idle, setIdle] = useState(false);
  useEffect(() => runWhenIdle(() => setIdle(true)), []);
  const friends = useFriends();
  return idle && friends.size > 0 ? <OfGroup conversation={conversation} friends={friends} /> : null;
}

/**
 * Returns the people with whom the user has a conversation of two. Only their keys were looked up before, so nobody
 * else can have others than those that are known.
 */
function useFriends(): ReadonlyMap<string, User> {
  const conversations = useChatState((state) => state.conversations);
  return useMemo(
    () =>
      new Map(Object.values(conversations).flatMap(({ otherUser }) => (otherUser ? [[otherUser.id, otherUser]] : []))),
    [conversations],
  );
}

interface OfGroupProps {
  conversation: Conversation;
  friends: ReadonlyMap<string, User>;
}

function OfGroup({ conversation: { id, members, memberCount }, friends }: OfGroupProps) {
  // Rows have the members of small groups only.
  const isWhole = members.filter(({ leftAt }) => leftAt === null).length >= memberCount;
  const listed = useGroupMembers(id, !isWhole).members;
  const people = useMemo(() => {
    const current = isWhole
      ? members.filter(({ leftAt }) => leftAt === null).map(({ userId }) => userId)
      : (listed ?? []).flatMap(({ user, leftAt }) => (user && leftAt === null ? [user.id] : []));
    return current.flatMap((userId) => {
      const friend = friends.get(userId);
      return friend ? [{ userId, name: friend.displayName }] : [];
    });
  }, [isWhole, members, listed, friends]);
  return (
    <Suspense>
      <IdentityNotices people={people} />
    </Suspense>
  );
}
