import en from '../../../locales/en/call.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const callTexts = registerTexts('call', en);
