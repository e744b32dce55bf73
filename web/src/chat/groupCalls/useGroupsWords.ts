import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { enGroups } from './enGroups.ts';
import { enRoomCode } from '../../i18n/enRoomCode.ts';
import { addWords } from '../../i18n/i18n.ts';

/** Returns the app's texts together with those of groups, which load with the calling component. */
export function useGroupsWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'groups', enGroups);
  addWords(translation.i18n, 'roomCode', enRoomCode);
  return translation;
}
