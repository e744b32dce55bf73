import en from '../../locales/en/landing.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const landingTexts = registerTexts('landing', en);
