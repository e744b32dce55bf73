import type { UnapprovedMessage } from '@nolo/api';
import type { TFunction } from 'i18next';

/** Describes a message pending approval that has no text. */
export function summarizeUnapproved({ messageType }: Pick<UnapprovedMessage, 'messageType'>, t: TFunction): string {
  switch (messageType) {
    case 'image':
      return t('chats.photo');
    case 'video':
      return t('chats.video');
    case 'voice':
      return t('chats.voiceMessage');
    default:
      return t('chats.file');
  }
}
