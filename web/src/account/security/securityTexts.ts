import en from '../../../locales/en/security.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const securityTexts = registerTexts('security', en);
