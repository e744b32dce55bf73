import { useEffect } from 'react';
import { listOfNames } from '../../i18n/locale.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useChat } from '../context/chatContext.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { sealedTexts } from './sealedTexts.ts';

/** Maximum names. The rest appears as a count. */
const namedPeople = 3;

/** Returns the names of people as a list, such as "Ann, Ben, and 3 more". */
export function useListPeople(userIds: readonly string[]): string {
  const { t } = useTexts(sealedTexts);
  const { engine } = useChat();
  const { nameOf, locale } = usePeopleNames();
  const shown = userIds.slice(0, userIds.length > namedPeople ? namedPeople - 1 : namedPeople);
  const wanted = shown.join(' ');
  useEffect(() => {
    if (wanted !== '') engine.wantNames(wanted.split(' '));
  }, [engine, wanted]);
  const rest = userIds.length - shown.length;
  return listOfNames(locale, [...shown.map(nameOf), ...(rest > 0 ? [t('sealed:more', { count: rest })] : [])]);
}
