import en from '../../../locales/en/media.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const mediaTexts = registerTexts('media', en);
