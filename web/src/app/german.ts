import { de } from '../i18n/de.ts';
import type { LazyWords } from '../i18n/i18n.ts';
import { lateWords } from '../i18n/lateWords.ts';
import type { Words } from '../i18n/words.ts';

/** Where each room finds its German words. */
const rooms = {
  admin: async () => (await import('../admin/deAdmin.ts')).deAdmin,
  begin: async () => (await import('./deBegin.ts')).deBegin,
  billing: async () => (await import('../billing/deBilling.ts')).deBilling,
  billingAdmin: async () => (await import('../billing/admin/deBillingAdmin.ts')).deBillingAdmin,
  brand: async () => (await import('../meetings/brand/deBrand.ts')).deBrand,
  call: async () => (await import('../chat/calling/deCall.ts')).deCall,
  calls: async () => (await import('../calls/deCalls.ts')).deCalls,
  closing: async () => (await import('../account/closing/deClosing.ts')).deClosing,
  connect: async () => (await import('../social/deConnect.ts')).deConnect,
  contacts: async () => (await import('../people/deContacts.ts')).deContacts,
  conversation: async () => (await import('../chat/words/deConversation.ts')).deConversation,
  developer: async () => (await import('../developer/deDeveloper.ts')).deDeveloper,
  factor: async () => (await import('../account/factor/deFactor.ts')).deFactor,
  group: async () => (await import('../groups/deGroup.ts')).deGroup,
  groups: async () => (await import('../chat/groupCalls/deGroups.ts')).deGroups,
  landing: async () => (await import('../landing/deLanding.ts')).deLanding,
  media: async () => (await import('../chat/media/deMedia.ts')).deMedia,
  meeting: async () => (await import('../meetings/room/deMeeting.ts')).deMeeting,
  meetings: async () => (await import('../meetings/deMeetings.ts')).deMeetings,
  messages: async () => (await import('../chat/words/deMessages.ts')).deMessages,
  missing: async () => (await import('../shell/deMissing.ts')).deMissing,
  naming: async () => (await import('../account/profile/deNaming.ts')).deNaming,
  notes: async () => (await import('../chat/words/deNotes.ts')).deNotes,
  palette: async () => (await import('./palette/dePalette.ts')).dePalette,
  passkeys: async () => (await import('../account/passkeys/dePasskeys.ts')).dePasskeys,
  phoneForm: async () => (await import('../account/signIn/dePhoneForm.ts')).dePhoneForm,
  profile: async () => (await import('../account/profile/deProfile.ts')).deProfile,
  push: async () => (await import('../notifications/dePush.ts')).dePush,
  refusals: async () => (await import('../i18n/deRefusals.ts')).deRefusals,
  replaced: async () => (await import('../account/signIn/deReplaced.ts')).deReplaced,
  takeout: async () => (await import('../chat/takeout/deTakeout.ts')).deTakeout,
  lastSeen: async () => (await import('../chat/words/deLastSeen.ts')).deLastSeen,
  barred: async () => (await import('../chat/words/text/deBarred.ts')).deBarred,
  report: async () => (await import('../chat/words/deReport.ts')).deReport,
  requests: async () => (await import('../chat/words/deRequests.ts')).deRequests,
  roomCode: async () => (await import('../i18n/deRoomCode.ts')).deRoomCode,
  rows: async () => (await import('../chat/list/deRows.ts')).deRows,
  search: async () => (await import('../search/deSearch.ts')).deSearch,
  secondStep: async () => (await import('../account/factor/deSecondStep.ts')).deSecondStep,
  secondPerson: async () => (await import('../account/secondPerson/deSecondPerson.ts')).deSecondPerson,
  security: async () => (await import('../account/security/deSecurity.ts')).deSecurity,
  share: async () => (await import('../share/deShare.ts')).deShare,
  shortcuts: async () => (await import('./deShortcuts.ts')).deShortcuts,
  signInErrors: async () => (await import('../account/signIn/deSignInErrors.ts')).deSignInErrors,
  social: async () => (await import('../social/deSocial.ts')).deSocial,
  status: async () => (await import('../status/deStatus.ts')).deStatus,
  voice: async () => (await import('../chat/media/deVoice.ts')).deVoice,
  webhooks: async () => (await import('../developer/webhooks/deWebhooks.ts')).deWebhooks,
} satisfies { [A in keyof LazyWords]: () => Promise<Words<LazyWords[A]>> };

/** German, for those alone whose app speaks it. */
export const german = lateWords(de, rooms);
