import en from '../../locales/en/share.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const shareTexts = registerTexts('share', en);
