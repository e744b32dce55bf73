import type { TFunction } from 'i18next';
import { createContext, useContext, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { PeopleNames } from './peopleNames.ts';
import { useChatState } from '../context/chatContext.ts';
import { usePeopleNames } from './peopleNames.ts';
import { localeFor } from '../../i18n/dates.ts';
import { sessionStore } from '../../session/session.ts';
import { nobody } from './text/MessageText.tsx';
import type { Mentioned } from './text/mentions.ts';

/** What every row of a list puts its words together from. */
export interface RowWords {
  t: TFunction;
  /** The direction of the app's language. */
  dir: 'ltr' | 'rtl';
  locale: string;
  names: PeopleNames;
  /** As in `names`, and oneself is "You". */
  nameOf: (userId: string) => string;
  /** People whom a message mentions, as their names may stand in it and as they are called here. */
  mentioned: (userIds: readonly string[]) => readonly Mentioned[];
}

/**
 * Made once for a whole list: with a translation, a locale and names asked for in each part of each row, a screen of rows
 * took longer to make than to draw.
 */
export const RowWordsContext = createContext<RowWords | null>(null);

export function useRowWords(): RowWords {
  const words = useContext(RowWordsContext);
  if (words === null) throw new Error('useRowWords is for what stands in a list of messages.');
  return words;
}

export function useMakeRowWords(): RowWords {
  const { t, i18n } = useTranslation();
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
        if (userIds.length === 0) return nobody;
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
