/** The words of all rooms, for the types alone: each comes over the line with its room. */
import type { enNaming } from '../account/profile/enNaming.ts';
import type { enProfile } from '../account/profile/enProfile.ts';
import type { enSecurity } from '../account/security/enSecurity.ts';
import type { enPhoneForm } from '../account/signIn/enPhoneForm.ts';
import type { enReplaced } from '../account/signIn/enReplaced.ts';
import type { enSignInErrors } from '../account/signIn/enSignInErrors.ts';
import type { enShortcuts } from './enShortcuts.ts';
import type { enBillingAdmin } from '../billing/admin/enBillingAdmin.ts';
import type { enBilling } from '../billing/enBilling.ts';
import type { enBrand } from '../meetings/brand/enBrand.ts';
import type { enCalls } from '../calls/enCalls.ts';
import type { enCall } from '../calls/start/enCall.ts';
import type { enRows } from '../chat/list/enRows.ts';
import type { enMedia } from '../chat/media/enMedia.ts';
import type { enVoice } from '../chat/media/enVoice.ts';
import type { enConversation } from '../chat/words/enConversation.ts';
import type { enMessages } from '../chat/words/enMessages.ts';
import type { enNotes } from '../chat/words/enNotes.ts';
import type { enDeveloper } from '../developer/enDeveloper.ts';
import type { enWebhooks } from '../developer/webhooks/enWebhooks.ts';
import type { enGroups } from '../groups/call/enGroups.ts';
import type { enGroup } from '../groups/enGroup.ts';
import type { enLanding } from '../landing/enLanding.ts';
import type { enMeetings } from '../meetings/enMeetings.ts';
import type { enMeeting } from '../meetings/room/enMeeting.ts';
import type { enContacts } from '../people/enContacts.ts';
import type { enMissing } from '../shell/enMissing.ts';
import type { enConnect } from '../social/enConnect.ts';
import type { enSocial } from '../social/enSocial.ts';
import type { enStatus } from '../status/enStatus.ts';
import type { enRefusals } from '../i18n/enRefusals.ts';

declare module '../i18n/i18n.ts' {
  interface LazyWords {
    billing: typeof enBilling;
    billingAdmin: typeof enBillingAdmin;
    brand: typeof enBrand;
    call: typeof enCall;
    calls: typeof enCalls;
    connect: typeof enConnect;
    contacts: typeof enContacts;
    conversation: typeof enConversation;
    developer: typeof enDeveloper;
    webhooks: typeof enWebhooks;
    group: typeof enGroup;
    groups: typeof enGroups;
    landing: typeof enLanding;
    media: typeof enMedia;
    meeting: typeof enMeeting;
    meetings: typeof enMeetings;
    messages: typeof enMessages;
    missing: typeof enMissing;
    naming: typeof enNaming;
    notes: typeof enNotes;
    phoneForm: typeof enPhoneForm;
    profile: typeof enProfile;
    refusals: typeof enRefusals;
    replaced: typeof enReplaced;
    rows: typeof enRows;
    security: typeof enSecurity;
    shortcuts: typeof enShortcuts;
    signInErrors: typeof enSignInErrors;
    status: typeof enStatus;
    social: typeof enSocial;
    voice: typeof enVoice;
  }
}
