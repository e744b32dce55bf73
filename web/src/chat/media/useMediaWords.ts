import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { enMedia } from './enMedia.ts';
import { enVoice } from './enVoice.ts';
import { addWords } from '../../i18n/i18n.ts';

/** Returns the app's texts together with those for media and voice notes, which load with the calling component. */
export function useMediaWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'media', enMedia);
  addWords(translation.i18n, 'voice', enVoice);
  return translation;
}
