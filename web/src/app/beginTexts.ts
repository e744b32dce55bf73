import en from '../../locales/en/begin.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const beginTexts = registerTexts('begin', en);
