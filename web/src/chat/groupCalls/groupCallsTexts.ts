import en from '../../../locales/en/groupCalls.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const groupCallsTexts = registerTexts('groupCalls', en);
