import { createContext, useContext, useMemo } from 'react';
import { useStore } from 'zustand';
import { useChatState } from '../context/chatContext.ts';
import { usePeopleNames, type PeopleNames } from './peopleNames.ts';
import { localeFor } from '../../i18n/dates.ts';
import { sessionStore } from '../../session/session.ts';
import { noMentions } from './text/MessageText.tsx';
import type { MentionedPerson } from './text/mentions.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Translate } from '../../i18n/texts.ts';
import { callTexts } from './callTexts.ts';
import { conversationTexts } from './conversationTexts.ts';
import { messagesTexts } from './messagesTexts.ts';

/** Values that every row of a list needs for its texts. */
export interface MessageRowTexts {
  t: Translate<typeof callTexts | typeof conversationTexts | typeof messagesTexts>;
  /** Direction of the app's language. */
  dir: 'ltr' | 'rtl';
  locale: string;
  names: PeopleNames;
  /** Returns a name as in `names`, or "You" for the user. */
  nameOf: (userId: string) => string;
  /** Returns the people mentioned in a message: their possible names in its text, and their display names. */
  mentioned: (userIds: readonly string[]) => readonly MentionedPerson[];
}

/**
 * Created once for a whole list. If each part of each row requested translation, locale, and names, creating a screen
 * of rows took longer than painting it.
 */
export const MessageRowTextsContext = createContext<MessageRowTexts | null>(null);

export function useMessageRowTexts(): MessageRowTexts {
  const words = useContext(MessageRowTextsContext);
  if (words === null) throw new Error('useRowWords must be used inside a message list.');
  return words;
}

export function useCreateMessageRowTexts(): MessageRowTexts {
  const { t, i18n } = useTexts(callTexts, conversationTexts, messagesTexts);
  const names = usePeopleNames();
  const people = useChatState((state) => state.people);
  const self = useStore(sessionStore, (state) => state.user);
  const { language } = i18n;
  const dir = i18n.dir();
  return useMemo(
    () => ({
      t,
      dir,
      locale: localeFor(language, navigator.languages),
      names,
      nameOf: (userId) => (userId === names.selfId ? t('common.you') : names.nameOf(userId)),
      mentioned: (userIds) => {
        if (userIds.length === 0) return noMentions;
        return userIds.map((userId) => {
          const isSelf = userId === self?.id;
          const { firstName = '', displayName = '' } = isSelf ? self : (people[userId] ?? {});
          return {
            userId,
            names: [firstName, displayName],
            label: isSelf ? displayName : names.nameOf(userId),
            self: isSelf,
          };
        });
      },
    }),
    [t, dir, language, names, people, self],
  );
}
