import en from '../../locales/en/developer.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const developerTexts = registerTexts('developer', en);
