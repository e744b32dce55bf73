import en from '../../locales/en/signOut.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const signOutTexts = registerTexts('signOut', en);
