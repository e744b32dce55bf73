import en from '../../locales/en/push.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const pushTexts = registerTexts('push', en);
