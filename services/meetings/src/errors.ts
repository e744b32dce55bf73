import { createAppError, type CreateServiceError } from '@nolo/kit/errors';
import { createLimitDetails } from '@nolo/rules';

/** Error codes of this service for other services and clients. */
export type MeetingsErrorCode =
  | 'action_refused'
  | 'brand_invalid'
  | 'call_answered_elsewhere'
  | 'call_busy'
  | 'call_invalid'
  | 'call_not_found'
  | 'call_over'
  | 'conversation_not_found'
  | 'guest_unknown'
  | 'guests_paused'
  | 'guests_refused'
  | 'media_unavailable'
  | 'meeting_invalid'
  | 'meeting_locked'
  | 'meeting_not_found'
  | 'meeting_over'
  | 'messages_not_allowed'
  | 'name_invalid'
  | 'not_brand_owner'
  | 'not_host'
  | 'participant_unknown'
  | 'plan_limit'
  | 'rate_limited'
  | 'recording_refused'
  | 'removed'
  | 'request_limit'
  | 'room_full'
  | 'screen_share_refused'
  | 'sign_in_required'
  | 'signal_too_large'
  | 'too_many_devices'
  | 'too_many_meetings'
  | 'user_unavailable';

export const createMeetingsError: CreateServiceError<MeetingsErrorCode> = createAppError;

/** Wording from spec section 8, whether the meeting does not exist or is not theirs. */
export const meetingNotFound = () => createMeetingsError('not_found', 'meeting_not_found', 'Meeting not found');

export const meetingOver = () => createMeetingsError('conflict', 'meeting_over', 'This meeting has ended.');

export const removedFromMeeting = () =>
  createMeetingsError('forbidden', 'removed', 'A host removed you from this meeting.');

export const notBrandOwner = () =>
  createMeetingsError('forbidden', 'not_brand_owner', "Only the person who bought a team's seats can set its brand.");

export const brandInvalid = (path: string, message: string) =>
  createMeetingsError('invalid', 'brand_invalid', message, { issues: [{ path, message }] });

export const notHost = () => createMeetingsError('forbidden', 'not_host', 'Only a host may do this.');

export const participantUnknown = () =>
  createMeetingsError('not_found', 'participant_unknown', 'You are no longer in this meeting. Join it again.');

export const roomFull = (max: number) =>
  createMeetingsError('conflict', 'room_full', `This meeting is full. It has a capacity of ${max} people.`, {
    maxParticipants: max,
  });

/** Shown to the plan's owner (decision 27). Others learn that the meeting is full. */
export const planLimitReached = (limit: number, used: number) =>
  createMeetingsError('plan_limited', 'plan_limit', `Your plan allows meetings of up to ${limit} people.`, {
    ...createLimitDetails('participants', limit, used),
  });

export const tooManyDevices = (max: number) =>
  createMeetingsError(
    'conflict',
    'too_many_devices',
    'You are already here on other devices or tabs. Leave on one of them first.',
    { max },
  );

/** Builds the error for when no SFU node is available: one is still starting, or all are temporarily gone. */
export const mediaUnavailable = (cause?: unknown) =>
  createMeetingsError(
    'unavailable',
    'media_unavailable',
    'Calls and meetings are still starting up. Try again in a moment.',
    undefined,
    { retryAfterMs: 2_000, cause },
  );

export const meetingInvalid = (field: string, message: string) =>
  createMeetingsError('invalid', 'meeting_invalid', message, { field });

export const conversationNotFound = () =>
  createMeetingsError('not_found', 'conversation_not_found', 'Conversation not found.');

export const callNotFound = () => createMeetingsError('not_found', 'call_not_found', 'Call not found.');

export const callOver = () => createMeetingsError('conflict', 'call_over', 'This call has ended.');

export const callInvalid = (message: string) => createMeetingsError('invalid', 'call_invalid', message);

export const callAnsweredElsewhere = () =>
  createMeetingsError('conflict', 'call_answered_elsewhere', 'This call was answered on another device.');

export const callBusy = () => createMeetingsError('conflict', 'call_busy', 'You are in another call.');

/** Does not reveal who blocked whom, or that anyone did. */
export const userUnavailable = () =>
  createMeetingsError('forbidden', 'user_unavailable', 'This person cannot be called right now.');

/** Chat's wording, because chat counts strangers' calls as first messages. */
export const requestLimitReached = (max: number) =>
  createMeetingsError(
    'forbidden',
    'request_limit',
    `You can send at most ${max} messages before this person accepts.`,
    { max },
  );

export const messagesNotAllowed = () =>
  createMeetingsError(
    'forbidden',
    'messages_not_allowed',
    'This person does not accept messages from people they do not know.',
  );
