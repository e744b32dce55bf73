import en from '../../locales/en/status.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const statusTexts = registerTexts('status', en);
