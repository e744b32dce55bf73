import en from '../../locales/en/keys.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const keysTexts = registerTexts('keys', en);
