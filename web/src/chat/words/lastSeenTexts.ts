import en from '../../../locales/en/lastSeen.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const lastSeenTexts = registerTexts('lastSeen', en);
