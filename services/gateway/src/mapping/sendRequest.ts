import type { RouteBody, routes } from '@nolo/api';
import type { SendMessageRequest } from '@nolo/proto/messages';
import { sealContent } from '../domain/messageContent.ts';
import { createInvalidInputError } from '../errors.ts';
import { toAttachment } from './chat.ts';
import { fromNewSealed } from './seals.ts';

/** Refuses a body without content. The schema allows each form. */
export function requireContent({ content, envelope, sealed }: Partial<RouteBody<typeof routes.editMessage>>): void {
  if (content === undefined && envelope === undefined && sealed === undefined) {
    throw createInvalidInputError([{ place: 'body', field: 'content', message: 'is required' }]);
  }
}

/**
 * Builds chat's request, with reader-only data in the envelope. Zeros and empty strings mean absent.
 *
 * @throws invalid_input, message_too_large, message_blank, message_invalid.
 */
export function toSendRequest(
  actorId: string,
  conversationId: string,
  body: RouteBody<typeof routes.sendGroupMessage>,
): SendMessageRequest {
  requireContent(body);
  const { encryption, messageType, linkPreview = '' } = body;
  const { content, envelope, sealed, fileName, voiceMessageDuration, voiceMessageTranscription, mediaInfo, extra } =
    body;
  return {
    actorId,
    conversationId,
    content: sealContent(
      {
        content,
        envelope,
        sealed,
        fileName,
        voiceMessageDuration,
        voiceMessageTranscription,
        mediaInfo,
        linkPreview,
        extra,
      },
      { encryption, messageType },
    ),
    encryption,
    messageType,
    clientMessageId: body.clientMessageId,
    attachment: toAttachment(body),
    mentions: body.mentions ?? [],
    replyToSeq: body.replyToSeq,
    forwarded: body.forwarded ?? false,
    // Link previews imply a link.
    hasLink: body.hasLink === true || linkPreview !== '',
    sealed: sealed && fromNewSealed(sealed),
  };
}
