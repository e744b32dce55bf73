import en from '../../../locales/en/messages.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const messagesTexts = registerTexts('messages', en);
