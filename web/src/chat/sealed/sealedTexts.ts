import en from '../../../locales/en/sealed.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const sealedTexts = registerTexts('sealed', en);
