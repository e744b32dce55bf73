import en from '../../locales/en/meetings.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const meetingsTexts = registerTexts('meetings', en);
