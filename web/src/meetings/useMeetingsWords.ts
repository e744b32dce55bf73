import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { enMeetings } from './enMeetings.ts';
import { enRoomCode } from '../i18n/enRoomCode.ts';
import { addWords } from '../i18n/i18n.ts';

/** Returns the app's texts together with those for meetings, which load with the calling component. */
export function useMeetingsWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'meetings', enMeetings);
  addWords(translation.i18n, 'roomCode', enRoomCode);
  return translation;
}
