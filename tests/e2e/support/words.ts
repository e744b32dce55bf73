import shared from '../../../web/locales/en/app.json' with { type: 'json' };
import enAdmin from '../../../web/locales/en/admin.json' with { type: 'json' };
import enBegin from '../../../web/locales/en/begin.json' with { type: 'json' };
import enBilling from '../../../web/locales/en/billing.json' with { type: 'json' };
import enBillingAdmin from '../../../web/locales/en/billingAdmin.json' with { type: 'json' };
import enCall from '../../../web/locales/en/call.json' with { type: 'json' };
import enCalls from '../../../web/locales/en/calls.json' with { type: 'json' };
import enDeveloper from '../../../web/locales/en/developer.json' with { type: 'json' };
import enContacts from '../../../web/locales/en/contacts.json' with { type: 'json' };
import enFactor from '../../../web/locales/en/factor.json' with { type: 'json' };
import enSecondStep from '../../../web/locales/en/secondStep.json' with { type: 'json' };
import enGroup from '../../../web/locales/en/group.json' with { type: 'json' };
import enGroupCalls from '../../../web/locales/en/groupCalls.json' with { type: 'json' };
import enGroups from '../../../web/locales/en/groups.json' with { type: 'json' };
import enKeys from '../../../web/locales/en/keys.json' with { type: 'json' };
import enLanding from '../../../web/locales/en/landing.json' with { type: 'json' };
import enMedia from '../../../web/locales/en/media.json' with { type: 'json' };
import enMeeting from '../../../web/locales/en/meeting.json' with { type: 'json' };
import enMeetings from '../../../web/locales/en/meetings.json' with { type: 'json' };
import enConversation from '../../../web/locales/en/conversation.json' with { type: 'json' };
import enMessages from '../../../web/locales/en/messages.json' with { type: 'json' };
import enNaming from '../../../web/locales/en/naming.json' with { type: 'json' };
import enNotes from '../../../web/locales/en/notes.json' with { type: 'json' };
import enPasskeys from '../../../web/locales/en/passkeys.json' with { type: 'json' };
import enPhoneForm from '../../../web/locales/en/phoneForm.json' with { type: 'json' };
import enProfile from '../../../web/locales/en/profile.json' with { type: 'json' };
import enPush from '../../../web/locales/en/push.json' with { type: 'json' };
import enRefusals from '../../../web/locales/en/refusals.json' with { type: 'json' };
import enReplaced from '../../../web/locales/en/replaced.json' with { type: 'json' };
import enReport from '../../../web/locales/en/report.json' with { type: 'json' };
import enRequests from '../../../web/locales/en/requests.json' with { type: 'json' };
import enRoomCode from '../../../web/locales/en/roomCode.json' with { type: 'json' };
import enRows from '../../../web/locales/en/rows.json' with { type: 'json' };
import enSealed from '../../../web/locales/en/sealed.json' with { type: 'json' };
import enSealedRows from '../../../web/locales/en/sealedRows.json' with { type: 'json' };
import enSearch from '../../../web/locales/en/search.json' with { type: 'json' };
import enSecurity from '../../../web/locales/en/security.json' with { type: 'json' };
import enPalette from '../../../web/locales/en/palette.json' with { type: 'json' };
import enShare from '../../../web/locales/en/share.json' with { type: 'json' };
import enShortcuts from '../../../web/locales/en/shortcuts.json' with { type: 'json' };
import enSignInErrors from '../../../web/locales/en/signInErrors.json' with { type: 'json' };
import enSocial from '../../../web/locales/en/social.json' with { type: 'json' };
import enChatExport from '../../../web/locales/en/chatExport.json' with { type: 'json' };
import enOpenExport from '../../../web/locales/en/openExport.json' with { type: 'json' };
import enStatus from '../../../web/locales/en/status.json' with { type: 'json' };
import enVoice from '../../../web/locales/en/voice.json' with { type: 'json' };

/** Texts of the app, from its own catalogs. The profile's and others are loaded with their screens. */
export const en = {
  ...shared,
  contacts: enContacts,
  keys: enKeys,
  landing: enLanding,
  naming: enNaming,
  palette: enPalette,
  rows: enRows,
  sealedRows: enSealedRows,
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
  enChatExport,
  enOpenExport,
  enDeveloper,
  enFactor,
  enSecondStep,
  enGroup,
  enGroupCalls,
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
  enSealed,
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
