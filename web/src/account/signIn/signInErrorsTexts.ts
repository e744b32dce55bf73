import en from '../../../locales/en/signInErrors.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const signInErrorsTexts = registerTexts('signInErrors', en);
