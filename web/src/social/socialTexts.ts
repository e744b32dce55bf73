import en from '../../locales/en/social.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const socialTexts = registerTexts('social', en);
