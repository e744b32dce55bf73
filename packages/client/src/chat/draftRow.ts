import type { Message, UnapprovedMessage } from '@nolo/api';

/** Returns a draft as a row, which has no place yet. */
export const toDraftRow = (draft: UnapprovedMessage): Message => ({
  ...draft,
  seq: 0,
  changeSeq: 0,
  clientMessageId: draft.clientMessageId ?? null,
  voiceMessageUrl: null,
  voiceMessageDuration: null,
  voiceMessageTranscription: null,
  mentions: draft.mentions ?? [],
  replyTo: draft.replyTo ?? null,
  forwarded: false,
  reactions: [],
  pinnedAt: null,
  expiresAt: null,
  editedAt: null,
  deletedAt: null,
});
