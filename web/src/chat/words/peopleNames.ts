import type { ConversationNote } from '@nolo/rules';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../i18n/locale.ts';
import { useChat, useChatState } from '../context/chatContext.ts';
import { useNoteText } from './useNoteText.ts';

/** The user's id and everyone's names, for sentences about people. */
export interface PeopleNames {
  selfId: string;
  nameOf: (userId: string) => string;
  /** Returns the first name, for tight spaces. */
  shortNameOf: (userId: string) => string;
  locale: string;
  /** Formats a system message. Null until its texts load. */
  noteText: ((note: ConversationNote, actorId: string) => string) | null;
}

export function usePeopleNames(): PeopleNames {
  const { t } = useTranslation();
  const locale = useLocale();
  const { selfId } = useChat().engine.store.getState();
  const people = useChatState((state) => state.people);
  const tell = useNoteText();
  return useMemo(() => {
    const nameOf = (userId: string) => people[userId]?.displayName ?? t('group.someone');
    return {
      selfId,
      locale,
      nameOf,
      shortNameOf: (userId) => people[userId]?.firstName || nameOf(userId),
      noteText: tell && ((note, actorId) => tell(note, actorId, { selfId, locale, nameOf })),
    };
  }, [selfId, locale, people, t, tell]);
}
