import { en as shared } from '../../../web/src/i18n/en.ts';
import { enBilling } from '../../../web/src/i18n/enBilling.ts';
import { enCall } from '../../../web/src/i18n/enCall.ts';
import { enCalls } from '../../../web/src/i18n/enCalls.ts';
import { enContacts } from '../../../web/src/i18n/enContacts.ts';
import { enGroup } from '../../../web/src/i18n/enGroup.ts';
import { enGroups } from '../../../web/src/i18n/enGroups.ts';
import { enLanding } from '../../../web/src/i18n/enLanding.ts';
import { enMedia } from '../../../web/src/i18n/enMedia.ts';
import { enMeeting } from '../../../web/src/i18n/enMeeting.ts';
import { enMeetings } from '../../../web/src/i18n/enMeetings.ts';
import { enConversation } from '../../../web/src/i18n/enConversation.ts';
import { enMessages } from '../../../web/src/i18n/enMessages.ts';
import { enNaming } from '../../../web/src/i18n/enNaming.ts';
import { enNotes } from '../../../web/src/i18n/enNotes.ts';
import { enPhoneForm } from '../../../web/src/i18n/enPhoneForm.ts';
import { enProfile } from '../../../web/src/i18n/enProfile.ts';
import { enRefusals } from '../../../web/src/i18n/enRefusals.ts';
import { enReplaced } from '../../../web/src/i18n/enReplaced.ts';
import { enRows } from '../../../web/src/i18n/enRows.ts';
import { enSecurity } from '../../../web/src/i18n/enSecurity.ts';
import { enShortcuts } from '../../../web/src/i18n/enShortcuts.ts';
import { enSignInErrors } from '../../../web/src/i18n/enSignInErrors.ts';
import { enSocial } from '../../../web/src/i18n/enSocial.ts';
import { enStatus } from '../../../web/src/i18n/enStatus.ts';
import { enVoice } from '../../../web/src/i18n/enVoice.ts';

/** What the app says, from its own catalogues; the profile's words and others come with their screens. */
export const en = {
  ...shared,
  contacts: enContacts,
  landing: enLanding,
  naming: enNaming,
  phoneForm: enPhoneForm,
  refusals: enRefusals,
  profile: enProfile,
  conversation: enConversation,
  security: enSecurity,
  signInErrors: enSignInErrors,
  shortcuts: enShortcuts,
};
export {
  enBilling,
  enCall,
  enCalls,
  enGroup,
  enGroups,
  enMedia,
  enMeeting,
  enMeetings,
  enMessages,
  enNotes,
  enReplaced,
  enRows,
  enSocial,
  enStatus,
  enVoice,
};

/** A sentence of the catalogue with its {{placeholders}} filled. */
export function words(sentence: string, values: Record<string, string | number> = {}): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`"${sentence}" needs a value for ${name}.`);
    return String(value);
  });
}

/** A text as a pattern that finds it anywhere. */
export function containing(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
