import en from '../../locales/en/missing.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const missingTexts = registerTexts('missing', en);
