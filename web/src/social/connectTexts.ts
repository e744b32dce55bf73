import en from '../../locales/en/connect.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const connectTexts = registerTexts('connect', en);
