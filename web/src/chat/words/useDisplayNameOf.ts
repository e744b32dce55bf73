import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { usePeopleNames } from './peopleNames.ts';

/** Returns names for a list of people. The user is "You". */
export function useDisplayNameOf(): (userId: string) => string {
  const { t } = useTranslation();
  const { selfId, nameOf } = usePeopleNames();
  return useCallback((userId) => (userId === selfId ? t('common.you') : nameOf(userId)), [selfId, nameOf, t]);
}
