import en from '../../../locales/en/requests.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const requestsTexts = registerTexts('requests', en);
