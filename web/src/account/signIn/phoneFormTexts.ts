import en from '../../../locales/en/phoneForm.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const phoneFormTexts = registerTexts('phoneForm', en);
