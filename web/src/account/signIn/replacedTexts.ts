import en from '../../../locales/en/replaced.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const replacedTexts = registerTexts('replaced', en);
