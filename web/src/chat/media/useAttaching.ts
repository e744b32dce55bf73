import type { Conversation } from '@nolo/api';
import { useCallback } from 'react';
import { useStore } from 'zustand';
import { useLocale } from '../../i18n/locale.ts';
import { sizeText } from '../../i18n/sizeText.ts';
import { featureStore } from '../../session/features.ts';
import { getMaxFileBytes } from '../../session/fileLimit.ts';
import { sessionStore } from '../../session/session.ts';
import { toast } from '../../ui/toasts.ts';
import { mayAttach, maxFilesPerSelection, selectSendableFiles } from './mediaRules.ts';
import { addAttachments, pendingAttachmentsStore } from './pendingAttachmentsStore.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/** Returns a function that adds files to the pending attachments, or null if sending is not allowed. */
export function useAttaching(conversation: Conversation): ((files: readonly File[], asFile?: boolean) => void) | null {
  const { t } = useTexts(conversationTexts);
  const locale = useLocale();
  const features = useStore(featureStore, (state) => state.features);
  const signedIn = useStore(sessionStore, (state) => state.user !== null);
  const { id } = conversation;
  const attach = useCallback(
    (files: readonly File[], asFile = false) => {
      const chosen = pendingAttachmentsStore.getState().byConversation[id]?.items.length ?? 0;
      const { taken, problem } = selectSendableFiles(files, chosen);
      if (problem) {
        toast({
          kind: 'error',
          title: t('conversation:notAttached.title'),
          description: t(`conversation:notAttached.${problem}`, {
            count: maxFilesPerSelection,
            max: sizeText(getMaxFileBytes(), locale, 1_024),
          }),
        });
      }
      if (taken.length > 0) addAttachments(id, taken, asFile);
    },
    [id, t, locale],
  );
  const gone = conversation.type === 'direct' && (!conversation.otherUser || conversation.otherUser.isBlocked);
  // A guest in a meeting chat has no account to own files.
  return signedIn && !gone && mayAttach(conversation, features) ? attach : null;
}
