import en from '../../locales/en/shortcuts.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const shortcutsTexts = registerTexts('shortcuts', en);
