import en from '../../../../locales/en/barredLink.json' with { type: 'json' };
import { registerTexts } from '../../../i18n/texts.ts';

export const barredLinkTexts = registerTexts('barredLink', en);
