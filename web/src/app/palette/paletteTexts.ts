import en from '../../../locales/en/palette.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const paletteTexts = registerTexts('palette', en);
