import en from '../../locales/en/contacts.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const contactsTexts = registerTexts('contacts', en);
