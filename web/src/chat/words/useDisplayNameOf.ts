import { useCallback } from 'react';
import { usePeopleNames } from './peopleNames.ts';
import { useTexts } from '../../i18n/texts.ts';

/** Returns names for a list of people. The user is "You". */
export function useDisplayNameOf(): (userId: string) => string {
  const { t } = useTexts();
  const { selfId, nameOf } = usePeopleNames();
  return useCallback((userId) => (userId === selfId ? t('common.you') : nameOf(userId)), [selfId, nameOf, t]);
}
