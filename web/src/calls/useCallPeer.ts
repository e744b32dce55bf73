import { useChatState } from '../chat/context/chatContext.ts';
import { listOfNames, useLocale } from '../i18n/locale.ts';
import { useSelf } from '../session/self.ts';
import { otherParticipants, otherParticipant, type LiveCall } from './model/callPhase.ts';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

export interface CallPeer {
  name: string;
  imageUrl: string | null;
  /** True if more than one other person is in it or being rung. */
  several: boolean;
  /** Number of people in it, including the user. */
  inside: number;
  /** Names of all others in it; the one person while nobody is yet. */
  names: string;
}

/** Returns the other participants, as far as the call or the conversations describe them. */
export function useCallPeer(live: LiveCall | null): CallPeer {
  const { t } = useTexts(callsTexts);
  const self = useSelf();
  const locale = useLocale();
  const conversations = useChatState((state) => (live ? state.conversations : undefined)) ?? {};
  // Updates of a call contain no names; people from conversations have one before it is queried.
  const userOf = ({ userId, user }: NonNullable<ReturnType<typeof otherParticipant>>) =>
    user ?? Object.values(conversations).find(({ otherUser }) => otherUser?.id === userId)?.otherUser ?? null;
  const other = live?.call ? otherParticipant(live.call, self.id) : undefined;
  const user = other ? userOf(other) : (conversations[live?.conversationId ?? '']?.otherUser ?? null);
  const name = user?.displayName ?? t('calls:someone');
  const joined = live?.call?.participants.filter(({ state }) => state === 'joined') ?? [];
  const others = joined.filter(({ userId }) => userId !== self.id);
  return {
    name,
    imageUrl: user?.profileImageUrl ?? null,
    several: live?.call ? otherParticipants(live.call, self.id).length > 1 : false,
    inside: joined.length,
    names:
      others.length > 1
        ? listOfNames(
            locale,
            others.map((one) => userOf(one)?.displayName ?? t('calls:someone')),
          )
        : name,
  };
}
