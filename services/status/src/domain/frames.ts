import type { Status } from './status.ts';

/** Frames that this service sends to sockets (packages/api, realtime.ts). The gateway opens their envelopes. */
export type StatusFrame =
  | {
      type: 'status_posted';
      data: {
        id: string;
        userId: string;
        mediaType: string;
        content: string;
        encryption: string;
        mediaUrl: string | null;
        previewUrl: string | null;
        clientStatusId: string | null;
        createdAt: string;
        expiresAt: string;
      };
    }
  | { type: 'status_removed'; data: { statusId: string; userId: string } }
  | { type: 'status_viewed'; data: { statusId: string; userId: string; viewedAt: string } }
  | { type: 'status_seen'; data: { statusId: string } }
  | { type: 'status_settings_changed'; data: Record<string, never> };

export function createStatusPostedFrame(status: Status): StatusFrame {
  const { id, authorId: userId, mediaType, content, encryption, fileId, previewFileId, clientId } = status;
  return {
    type: 'status_posted',
    data: {
      id,
      userId,
      mediaType,
      content,
      encryption,
      mediaUrl: fileId && `/objects/${fileId}`,
      previewUrl: previewFileId && `/objects/${previewFileId}`,
      clientStatusId: clientId,
      createdAt: status.createdAt.toISOString(),
      expiresAt: status.expiresAt.toISOString(),
    },
  };
}
