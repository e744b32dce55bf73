import { randomUUID } from 'node:crypto';

/** Builds a new message as chat delivers it, of default length. */
export function createMessageFrame(senderId: string, content = 'x'.repeat(120)) {
  return {
    type: 'new_message',
    data: {
      id: randomUUID(),
      conversationId: randomUUID(),
      seq: 4711,
      changeSeq: 4712,
      senderId,
      content,
      encryption: 'none',
      messageType: 'text',
      clientMessageId: randomUUID(),
      fileUrl: null,
      fileName: null,
      fileSize: null,
      voiceMessageUrl: null,
      voiceMessageDuration: null,
      voiceMessageTranscription: null,
      mediaInfo: null,
      previewUrl: null,
      mentions: [],
      sender: null,
      replyTo: null,
      forwarded: false,
      linkPreview: null,
      reactions: [],
      pinnedAt: null,
      expiresAt: null,
      createdAt: new Date().toISOString(),
      editedAt: null,
      deletedAt: null,
    },
  };
}
