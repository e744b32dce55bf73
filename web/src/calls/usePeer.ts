import { useChatState } from '../chat/context/chatContext.ts';
import { listOfNames, useLocale } from '../i18n/locale.ts';
import { useSelf } from '../session/self.ts';
import { othersIn, otherIn, type LiveCall } from './model/callPhase.ts';
import { useCallTexts } from './useCallTexts.ts';

export interface Peer {
  name: string;
  imageUrl: string | null;
  /** More than one other person is in it or is being rung. */
  several: boolean;
  /** Everybody who is in it, oneself included. */
  inside: number;
  /** All others who are in it; the one person where nobody is yet. */
  names: string;
}

/** Whom a call is with, by what the call or the conversations know of them. */
export function usePeer(live: LiveCall | null): Peer {
  const { t } = useCallTexts();
  const self = useSelf();
  const locale = useLocale();
  const conversations = useChatState((state) => (live ? state.conversations : undefined)) ?? {};
  // News of a call names nobody; whom one knows has a name before it was asked for.
  const userOf = ({ userId, user }: NonNullable<ReturnType<typeof otherIn>>) =>
    user ?? Object.values(conversations).find(({ otherUser }) => otherUser?.id === userId)?.otherUser ?? null;
  const other = live?.call ? otherIn(live.call, self.id) : undefined;
  const user = other ? userOf(other) : (conversations[live?.conversationId ?? '']?.otherUser ?? null);
  const name = user?.displayName ?? t('calls.someone');
  const joined = live?.call?.participants.filter(({ state }) => state === 'joined') ?? [];
  const others = joined.filter(({ userId }) => userId !== self.id);
  return {
    name,
    imageUrl: user?.profileImageUrl ?? null,
    several: live?.call ? othersIn(live.call, self.id).length > 1 : false,
    inside: joined.length,
    names:
      others.length > 1
        ? listOfNames(
            locale,
            others.map((one) => userOf(one)?.displayName ?? t('calls.someone')),
          )
        : name,
  };
}
