import en from '../../../locales/en/naming.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const namingTexts = registerTexts('naming', en);
