import en from '../../../locales/en/brand.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const brandTexts = registerTexts('brand', en);
