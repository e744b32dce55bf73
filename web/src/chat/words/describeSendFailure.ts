import { featureStore } from '../../session/features.ts';
import type { PendingMessage } from '@nolo/client/chat/timeline';
import type { Translate } from '../../i18n/texts.ts';
import type { conversationTexts } from './conversationTexts.ts';

/** Returns the specification's text for a failed message, and the reason if known. */
export function describeSendFailure(
  { extras, reason }: Pick<PendingMessage, 'extras' | 'reason'>,
  t: Translate<typeof conversationTexts>,
): { title: string; text: string | undefined } {
  const isVoice = extras?.media?.messageType === 'voice';
  return {
    title: t(isVoice ? 'errors.sendVoiceMessage' : 'errors.sendMessage'),
    text: describeFailureReason(reason, t),
  };
}

/** Explains why a message was rejected: our text for the code, or else the server's (decision 18). */
export function describeFailureReason(
  reason: PendingMessage['reason'],
  t: Translate<typeof conversationTexts>,
): string | undefined {
  switch (reason?.code) {
    case 'blocked':
    case 'user_unavailable':
      return t('conversation:failure.blocked');
    case 'message_too_large':
      return t('conversation:failure.tooLarge');
    case 'conversation_not_found':
      return t('conversation:failure.gone');
    case 'file_gone':
      return t('conversation:failure.fileGone');
    case 'request_limit':
      return t('conversation:failure.requestLimit');
    case 'messages_not_allowed':
      return t('conversation:failure.notAllowed');
    case 'files_refused':
      return t('conversation:failure.filesRefused');
    case 'link_invalid':
    case 'link_refused':
      return t('conversation:failure.linkRefused');
    case 'link_unreachable':
      return t('conversation:failure.linkUnreachable');
    case 'import_failed':
    case 'imports_off':
      return t('conversation:failure.linkFailed');
    case 'link_too_large':
    case 'file_too_large':
    case 'image_too_large':
      return t('conversation:failure.fileTooLarge');
    case 'picture_limit':
      return t('conversation:failure.pictureLimit');
    case 'pictures_busy':
      return t('conversation:failure.picturesBusy');
    case 'storage_full_plan':
      // Plans are mentioned only if the installation has billing (decision 33).
      return featureStore.getState().features['billing'] === true
        ? t('conversation:failure.storageFullPlans')
        : t('conversation:failure.storageFull');
    case 'update_required':
      return t('conversation:failure.updateRequired');
    case 'file_not_image':
      return t('conversation:failure.notPicture');
    default:
      return reason?.message || undefined;
  }
}
