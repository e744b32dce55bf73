import en from '../../../locales/en/profile.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const profileTexts = registerTexts('profile', en);
