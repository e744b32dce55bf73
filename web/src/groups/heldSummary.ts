import type { WaitingMessage } from '@nolo/api';
import type { TFunction } from 'i18next';

/** What a message is that waits for approval and has no words. */
export function heldSummary({ messageType }: Pick<WaitingMessage, 'messageType'>, t: TFunction): string {
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
