import en from '../../locales/en/groups.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const groupsTexts = registerTexts('groups', en);
