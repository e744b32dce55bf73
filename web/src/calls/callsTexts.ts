import en from '../../locales/en/calls.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const callsTexts = registerTexts('calls', en);
