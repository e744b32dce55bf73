import type { ConversationSystemMessage } from '@nolo/rules';
import { useMemo } from 'react';
import { useLocale } from '../../i18n/locale.ts';
import { useChat, useChatState } from '../context/chatContext.ts';
import { useDescribeSystemMessage } from './useDescribeSystemMessage.ts';
import { useTexts } from '../../i18n/texts.ts';
import { groupTexts } from './groupTexts.ts';

/** The user's id and everyone's names, for sentences about people. */
export interface PeopleNames {
  selfId: string;
  nameOf: (userId: string) => string;
  /** Returns the first name, for tight spaces. */
  shortNameOf: (userId: string) => string;
  locale: string;
  /** Formats a system message. Null until its texts load. */
  describeSystemMessage: ((systemMessage: ConversationSystemMessage, actorId: string) => string) | null;
}

export function usePeopleNames(): PeopleNames {
  const { t } = useTexts(groupTexts);
  const locale = useLocale();
  const { selfId } = useChat().engine.store.getState();
  const people = useChatState((state) => state.people);
  const formatSystemMessage = useDescribeSystemMessage();
  return useMemo(() => {
    const nameOf = (userId: string) => people[userId]?.displayName ?? t('group:someone');
    return {
      selfId,
      locale,
      nameOf,
      shortNameOf: (userId) => people[userId]?.firstName || nameOf(userId),
      describeSystemMessage:
        formatSystemMessage &&
        ((systemMessage, actorId) => formatSystemMessage(systemMessage, actorId, { selfId, locale, nameOf })),
    };
  }, [selfId, locale, people, t, formatSystemMessage]);
}
