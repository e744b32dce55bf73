import type { Catalogue } from '../i18n/texts.ts';
import en from '../../locales/en/app.json' with { type: 'json' };
import enBilling from '../../locales/en/billing.json' with { type: 'json' };
import enCalls from '../../locales/en/calls.json' with { type: 'json' };
import enContacts from '../../locales/en/contacts.json' with { type: 'json' };
import enConversation from '../../locales/en/conversation.json' with { type: 'json' };
import enGroups from '../../locales/en/groups.json' with { type: 'json' };
import enLanding from '../../locales/en/landing.json' with { type: 'json' };
import enMeeting from '../../locales/en/meeting.json' with { type: 'json' };
import enMeetings from '../../locales/en/meetings.json' with { type: 'json' };
import enStatus from '../../locales/en/status.json' with { type: 'json' };
import enPhoneForm from '../../locales/en/phoneForm.json' with { type: 'json' };
import enProfile from '../../locales/en/profile.json' with { type: 'json' };
import enRefusals from '../../locales/en/refusals.json' with { type: 'json' };
import enRoomCode from '../../locales/en/roomCode.json' with { type: 'json' };
import enSocial from '../../locales/en/social.json' with { type: 'json' };
import enVoice from '../../locales/en/voice.json' with { type: 'json' };

const catalogue: Catalogue = {
  ...en,
  billing: enBilling,
  calls: enCalls,
  contacts: enContacts,
  conversation: enConversation,
  groups: enGroups,
  landing: enLanding,
  meeting: enMeeting,
  meetings: enMeetings,
  status: enStatus,
  phoneForm: enPhoneForm,
  profile: enProfile,
  refusals: enRefusals,
  roomCode: enRoomCode,
  social: enSocial,
  voice: enVoice,
};

/**
 * Quote from the specification, and its keys in the catalog. A title and its text are written next to each other in the
 * specification, with a slash in section 5 and a colon in section 8.
 */
type Quote = readonly [words: string, ...keys: string[]];

/** Sections 1 and 2: screens. */
const screens: readonly Quote[] = [
  ['Get Started with Phone', 'landing.getStartedWithPhone'],
  ['Traditional Sign In', 'landing.traditionalSignIn'],
  ['Phone', 'landing.phone'],
  ['Sign In', 'landing.signIn'],
  ['End-to-End Encrypted', 'landing.encryptedTitle'],
  ['Real-time Messaging', 'landing.realtimeTitle'],
  ['Group Meetings', 'landing.meetingsTitle'],
  ['Loading Nolo...', 'common.loading'],
  ['Group Chat Not Found', 'chats.groupNotFound'],
  ['Go Back Home', 'common.goBackHome'],
  ['404 Page Not Found', 'notFound.title'],
  ['Continue', 'auth.continue'],
  ['Sending...', 'phoneForm.sending'],
  ['Complete Registration', 'phoneForm.completeRegistration'],
  ['Verifying...', 'phoneForm.verifying'],
  ['Chats', 'chats.title'],
  ['Search conversations...', 'chats.searchPlaceholder'],
  ['No messages yet', 'chats.noMessagesYet'],
  ['Failed to load conversations', 'errors.loadConversations'],
  ['Retry', 'common.retry'],
  ['No conversations yet', 'chats.emptyTitle'],
  ['Add Contact', 'chats.addContact'],
  ['Select a conversation', 'chats.selectTitle'],
  ['Start New Chat', 'chats.startNewChat'],
  ['Create Meeting', 'chats.createMeeting'],
  ['Join Meeting', 'chats.joinMeeting'],
  ['Meeting not found', 'meeting.over.not_found.title'],
  ['(Host)', 'meeting.room.host'],
  ['Meetings', 'meetings.title'],
  ['Live Now', 'meetings.liveNow'],
  ['Scheduled', 'meetings.scheduled'],
  ['Group Chats', 'meetings.groupChats'],
  ['Recent Meetings', 'meetings.recent'],
  ['Schedule', 'social.title'],
  ['Schedule Post', 'social.schedulePost'],
  ['Your Scheduled Posts', 'social.yourPosts'],
  ['Published', 'social.counts.published'],
  ['Failed', 'social.counts.failed'],
  ['Total', 'social.counts.total'],
  ['Filter', 'meetings.filter'],
  ['Install App', 'profile.installApp'],
  ['Logout', 'profile.logout'],
  ['Privacy & Security', 'profile.privacy'],
  ['Subscription Status', 'billing.subscription'],
  ['Upgrade Your Plan', 'billing.upgradeYourPlan'],
  ['Current Plan', 'billing.currentPlan'],
  ['Upgrade', 'billing.upgrade'],
  ['Downgrade', 'billing.downgrade'],
  ['Add', 'billing.add'],
  ['Share moments that matter • Disappear in 24 hours', 'status.subtitle'],
  ["You haven't posted any status updates yet", 'status.emptyOwn'],
  ['Post Your First Status', 'status.first'],
  ['No recent updates from your contacts', 'status.emptyRecent'],
  ['Add contacts to see their status updates', 'status.emptyRecentHint'],
  ['Expired', 'status.left.expired'],
];

/** Section 4: states. */
const states: readonly Quote[] = [
  ['Processing...', 'voice.processing'],
  ['Processing...', 'billing.pay.processing'],
  ['Call Disconnected', 'calls.disconnected'],
];

/** Section 5: validation. */
const validation: readonly Quote[] = [
  [
    'Content Required / Please enter content for your post',
    'social.problems.scheduleContent.title',
    'social.problems.scheduleContent.text',
  ],
  [
    'Platform Required / Please select at least one platform',
    'social.problems.schedulePlatform.title',
    'social.problems.schedulePlatform.text',
  ],
  [
    'Empty post / Please add some content to post',
    'social.problems.postContent.title',
    'social.problems.postContent.text',
  ],
  [
    'No platforms selected / Please select at least one platform to post to',
    'social.problems.postPlatform.title',
    'social.problems.postPlatform.text',
  ],
  ['No platforms selected', 'social.problems.meetingPlatform.title'],
  ['Please enter a message to post', 'social.problems.meetingContent.text'],
  ['Please select at least one platform', 'social.problems.meetingPlatform.text'],
  ['Phone number is required.', 'refusals.phone_number_required'],
  [
    'Room name required / Please enter a name for your group chat room',
    'groups.problem.roomNameTitle',
    'groups.problem.roomNameText',
  ],
  ['Room code required', 'groups.problem.codeMissing'],
  ['Invalid room code / Room codes are 6 characters long', 'groups.problem.codeTitle', 'groups.problem.codeText'],
  ['Please enter a group name', 'groups.problem.name'],
  ['Please select at least one member', 'groups.problem.members'],
  ['Meeting name is required', 'meetings.problem.name'],
  [
    'Meeting Name Required / Please enter a name for your meeting',
    'meetings.problem.nameTitle',
    'meetings.problem.nameText',
  ],
  ['Meeting Created!', 'meetings.created'],
  ['Meeting code is required', 'meetings.problem.code'],
  ['Room Code Required / Please enter a meeting room code', 'meetings.problem.codeTitle', 'meetings.problem.codeText'],
  [
    'Phone number required / Please enter a valid phone number',
    'phoneForm.errors.phoneRequired.title',
    'phoneForm.errors.phoneRequired.text',
  ],
  [
    'Verification code required / Please enter the verification code',
    'phoneForm.errors.codeRequired.title',
    'phoneForm.errors.codeRequired.text',
  ],
];

/** Section 8: errors, and success messages. */
const outcomes: readonly Quote[] = [
  ['Connection failed: Failed to connect to the platform', 'social.connect.failed.title', 'social.connect.failed.text'],
  ['Error posting: Failed to post to social media platforms', 'social.failed.post.title', 'social.failed.post.text'],
  ['Failed to share meeting', 'social.failed.meeting'],
  ['Failed to share post', 'social.failed.share'],
  ['Meeting shared successfully to selected platforms!', 'social.compose.meetingShared'],
  ['Post Scheduled!', 'social.compose.scheduled'],
  ['Authentication expired for a platform', 'social.reasons.authentication_expired'],
  ['Unauthorized / You are logged out. Logging in again...', 'errors.unauthorized.title', 'errors.unauthorized.text'],
  ['Failed to search users', 'errors.searchUsers'],
  ['Failed to start conversation', 'errors.startConversation'],
  ['Failed to add contact. Please try again.', 'errors.addContact'],
  ['Failed to create group chat', 'groups.problem.createMobile'],
  ['Failed to create group', 'groups.problem.createDesktop'],
  ['Failed to join group chat', 'groups.problem.join'],
  ['Failed to copy link', 'errors.copyLink'],
  [
    'Recording Error: Could not access microphone. Please check permissions.',
    'voice.microphone.title',
    'voice.microphone.text',
  ],
  [
    'Transcription Warning: Voice message sent, but transcription failed.',
    'voice.transcription.title',
    'voice.transcription.text',
  ],
  ['Failed to send voice message', 'errors.sendVoiceMessage'],
  ['Failed to update profile', 'errors.updateProfile'],
  ['Failed to create meeting room', 'meetings.createFailed'],
  ['Failed to join meeting', 'meetings.joinFailed'],
  ['Failed to join meeting', 'meeting.over.failed.title'],
  ['Network error. Please try again.', 'errors.network'],
  ['Failed to fetch conversations', 'errors.fetchConversations'],
  ['Failed to fetch messages', 'errors.fetchMessages'],
  ['Failed to send message', 'errors.sendMessage'],
  ['Failed to start call', 'calls.startFailed'],
  ['Payment Error: Failed to initiate payment. Please try again.', 'billing.pay.errorTitle', 'billing.pay.failed'],
  ['Failed to create PayPal order', 'billing.pay.payPalFailed'],
  ['Unsupported currency', 'billing.pay.unsupported'],
  ['Redirecting to Payment', 'billing.pay.redirecting'],
  [
    'Call Error: Failed to initialize call. Please check camera/microphone permissions.',
    'calls.errorTitle',
    'calls.errorText',
  ],
  ['Media Error: Could not access camera or microphone', 'meeting.errors.media.title', 'meeting.errors.media.text'],
  ['Screen Share Error', 'meeting.errors.screen.title'],
  ['Audio error', 'meeting.errors.audio.title'],
  ['Video error', 'meeting.errors.video.title'],
  ['Failed to send code', 'phoneForm.errors.sendRefused'],
  [
    'Error: Failed to send verification code. Please try again.',
    'phoneForm.errors.sendFailed.title',
    'phoneForm.errors.sendFailed.text',
  ],
  ['Verification failed', 'phoneForm.errors.verifyRefused'],
  [
    'Error: Failed to verify code. Please try again.',
    'phoneForm.errors.verifyFailed.title',
    'phoneForm.errors.verifyFailed.text',
  ],
  [
    'Upload Error: Failed to get upload URL. Please try again.',
    'profile.pictureErrors.uploadAddress.title',
    'profile.pictureErrors.uploadAddress.text',
  ],
  [
    'Update Error: Failed to update profile picture. Please try again.',
    'profile.pictureErrors.update.title',
    'profile.pictureErrors.update.text',
  ],
  ['Failed to post status. Please try again.', 'status.failed'],
  ['Status posted!', 'status.posted'],
  ['Your status is now visible to your contacts', 'status.postedText'],
  ['Contact Added', 'contacts.added'],
  ['Copied!', 'success.copied'],
  ['Meeting link copied to clipboard', 'meetings.share.linkCopied'],
  ['Room code copied to clipboard', 'roomCode.codeCopied'],
  ['Code sent successfully', 'phoneForm.codeSent'],
  ['Registration successful', 'phoneForm.registered'],
  ['Profile Updated', 'profile.updated'],
  ['App Installing', 'chats.installing'],
  ['App Installing', 'profile.installing'],
];

function wordsAt(key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<string | Catalogue | undefined>(
      (at, keySegment) => (typeof at === 'object' ? at[keySegment] : undefined),
      catalogue,
    );
  return typeof found === 'string' ? found : undefined;
}

describe.each([
  ['sections 1 and 2', screens, ' / '],
  ['section 4', states, ' / '],
  ['section 5', validation, ' / '],
  ['section 8', outcomes, ': '],
])('%s of the specification', (_, quotes, between) => {
  test.each(quotes.map(([words, ...keys]) => ({ words, keys })))('has the words: $words', ({ words, keys }) => {
    // Section 8 has one pair in the format of section 5.
    const separator = words.includes(' / ') ? ' / ' : between;
    expect(keys.map(wordsAt).join(separator)).toBe(words);
  });
});
