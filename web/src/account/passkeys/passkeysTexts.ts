import en from '../../../locales/en/passkeys.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const passkeysTexts = registerTexts('passkeys', en);
