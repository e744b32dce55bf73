import type { Conversation, Message } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { downloadUrl } from '../../device/saveFile.ts';
import { downloadAddress, mediaOfMessage } from '@nolo/client/chat/shownMedia';
import type { ConversationOverlayState } from './ConversationOverlay.tsx';
import type { MessageChoice } from './MessageMenu.tsx';
import type { ComposerMode } from './useComposerMode.ts';
import type { MessageActions } from './useMessageActions.ts';
import { pinnedMessagesQueryKey } from './usePinnedMessages.ts';
import type { MessageSelection } from './useMessageSelection.ts';

function download(message: Message): void {
  const media = mediaOfMessage(message);
  if (!media?.url) return;
  downloadUrl(downloadAddress(media.url, media.name), media.name ?? '');
}

/** Runs the action chosen for a message, or opens the dialog for it. */
export function useMessageChoiceHandler(
  { id }: Conversation,
  {
    composing,
    selection,
    actions,
    setOverlay,
  }: {
    composing: ComposerMode;
    selection: MessageSelection;
    actions: MessageActions;
    setOverlay: (overlay: ConversationOverlayState) => void;
  },
): (choice: MessageChoice, message: Message, article: HTMLElement) => void {
  const queryClient = useQueryClient();
  const pin = (message: Message, pinned: boolean): void => {
    actions.pin(message, pinned);
    void queryClient.invalidateQueries({ queryKey: pinnedMessagesQueryKey(id) });
  };
  return (choice, message, article) => {
    switch (choice) {
      case 'reply':
        return composing.reply(message);
      case 'edit':
        return composing.edit(message);
      case 'copy':
        return actions.copy([message]);
      case 'download':
        return download(message);
      case 'pin':
      case 'unpin':
        return pin(message, choice === 'pin');
      case 'star':
      case 'unstar':
        return actions.star([message], choice === 'star');
      case 'select':
        return selection.begin(message);
      case 'forward':
      case 'hide':
      case 'delete':
        return setOverlay({ kind: choice, messages: [message] });
      case 'details':
      case 'report':
        return setOverlay({ kind: choice, message });
      case 'moreReactions':
        return setOverlay({ kind: 'react', message, article });
    }
  };
}
