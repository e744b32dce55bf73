import en from '../../locales/en/search.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const searchTexts = registerTexts('search', en);
