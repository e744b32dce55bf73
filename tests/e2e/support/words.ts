import { en as shared } from '../../../web/src/i18n/en.ts';
import { enAdmin } from '../../../web/src/admin/enAdmin.ts';
import { enBegin } from '../../../web/src/app/enBegin.ts';
import { enBilling } from '../../../web/src/billing/enBilling.ts';
import { enBillingAdmin } from '../../../web/src/billing/admin/enBillingAdmin.ts';
import { enCall } from '../../../web/src/chat/calling/enCall.ts';
import { enCalls } from '../../../web/src/calls/enCalls.ts';
import { enDeveloper } from '../../../web/src/developer/enDeveloper.ts';
import { enContacts } from '../../../web/src/people/enContacts.ts';
import { enFactor } from '../../../web/src/account/factor/enFactor.ts';
import { enSecondStep } from '../../../web/src/account/factor/enSecondStep.ts';
import { enGroup } from '../../../web/src/groups/enGroup.ts';
import { enGroups } from '../../../web/src/chat/groupCalls/enGroups.ts';
import { enLanding } from '../../../web/src/landing/enLanding.ts';
import { enMedia } from '../../../web/src/chat/media/enMedia.ts';
import { enMeeting } from '../../../web/src/meetings/room/enMeeting.ts';
import { enMeetings } from '../../../web/src/meetings/enMeetings.ts';
import { enConversation } from '../../../web/src/chat/words/enConversation.ts';
import { enMessages } from '../../../web/src/chat/words/enMessages.ts';
import { enNaming } from '../../../web/src/account/profile/enNaming.ts';
import { enNotes } from '../../../web/src/chat/words/enNotes.ts';
import { enPasskeys } from '../../../web/src/account/passkeys/enPasskeys.ts';
import { enPhoneForm } from '../../../web/src/account/signIn/enPhoneForm.ts';
import { enProfile } from '../../../web/src/account/profile/enProfile.ts';
import { enPush } from '../../../web/src/notifications/enPush.ts';
import { enRefusals } from '../../../web/src/i18n/enRefusals.ts';
import { enReplaced } from '../../../web/src/account/signIn/enReplaced.ts';
import { enReport } from '../../../web/src/chat/words/enReport.ts';
import { enRequests } from '../../../web/src/chat/words/enRequests.ts';
import { enRoomCode } from '../../../web/src/i18n/enRoomCode.ts';
import { enRows } from '../../../web/src/chat/list/enRows.ts';
import { enSearch } from '../../../web/src/search/enSearch.ts';
import { enSecurity } from '../../../web/src/account/security/enSecurity.ts';
import { enPalette } from '../../../web/src/app/palette/enPalette.ts';
import { enShare } from '../../../web/src/share/enShare.ts';
import { enShortcuts } from '../../../web/src/app/enShortcuts.ts';
import { enSignInErrors } from '../../../web/src/account/signIn/enSignInErrors.ts';
import { enSocial } from '../../../web/src/social/enSocial.ts';
import { enStatus } from '../../../web/src/status/enStatus.ts';
import { enVoice } from '../../../web/src/chat/media/enVoice.ts';

/** Texts of the app, from its own catalogs. The profile's and others are loaded with their screens. */
export const en = {
  ...shared,
  contacts: enContacts,
  landing: enLanding,
  naming: enNaming,
  palette: enPalette,
  rows: enRows,
  phoneForm: enPhoneForm,
  refusals: enRefusals,
  profile: enProfile,
  conversation: enConversation,
  security: enSecurity,
  signInErrors: enSignInErrors,
  shortcuts: enShortcuts,
};
export {
  enAdmin,
  enBegin,
  enBilling,
  enBillingAdmin,
  enCall,
  enCalls,
  enDeveloper,
  enFactor,
  enSecondStep,
  enGroup,
  enGroups,
  enMedia,
  enMeeting,
  enMeetings,
  enMessages,
  enNotes,
  enPasskeys,
  enReplaced,
  enReport,
  enPush,
  enRequests,
  enRoomCode,
  enRows,
  enShare,
  enSearch,
  enSocial,
  enStatus,
  enVoice,
};

/** Fills the {{placeholders}} of a catalog text. */
export function fillPlaceholders(sentence: string, values: Record<string, string | number> = {}): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`"${sentence}" needs a value for ${name}.`);
    return String(value);
  });
}

/** Returns a pattern that finds a text anywhere. */
export function toPattern(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
