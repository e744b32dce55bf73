import en from '../../../locales/en/factor.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const factorTexts = registerTexts('factor', en);
