import en from '../../../locales/en/voice.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const voiceTexts = registerTexts('voice', en);
