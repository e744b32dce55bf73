import { fail, type Fail } from '@nolo/kit/errors';

/** Everything that this service refuses, as other services and clients know it. */
export type ChatErrorCode =
  | 'actor_invalid'
  | 'blocked'
  | 'client_message_id_reused'
  | 'conversation_not_found'
  | 'conversation_with_self'
  | 'cursor_invalid'
  | 'delete_expired'
  | 'edit_expired'
  | 'message_blank'
  | 'message_invalid'
  | 'message_not_found'
  | 'message_too_large'
  | 'not_author'
  | 'send_contended'
  | 'user_unavailable';

export const failChat: Fail<ChatErrorCode> = fail;

/** One sentence for both reasons (it does not exist, you are not in it), because existence is private. */
export const conversationNotFound = () => failChat('not_found', 'conversation_not_found', 'Conversation not found.');

export const messageNotFound = () => failChat('not_found', 'message_not_found', 'Message not found.');

/** Says neither who blocked whom nor that anyone did. */
export const messageBlocked = () => failChat('forbidden', 'blocked', 'Messages cannot be sent in this conversation.');

export const sendContended = () =>
  failChat('unavailable', 'send_contended', 'The message could not be stored right now. Try again.', undefined, {
    retryAfterMs: 1000,
  });

export const notAuthor = () => failChat('forbidden', 'not_author', 'Only the author may do this.');
