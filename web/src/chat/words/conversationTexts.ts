import en from '../../../locales/en/conversation.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const conversationTexts = registerTexts('conversation', en);
