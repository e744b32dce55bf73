import en from '../../../locales/en/closing.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const closingTexts = registerTexts('closing', en);
