import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useChatState } from '../../chat/context/chatContext.ts';
import { listConversationsByActivity } from '@nolo/client/chat/chatStore';
import { conversationName, conversationPath, conversationPicture } from '../../chat/words/conversationName.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { findPaletteEntries } from './model/paletteEntries.ts';
import type { PaletteGroup } from './paletteGroups.ts';

/** Maximum chats; fewer without input, so that actions below are visible. */
const maxItems = { atFirst: 5, found: 8 };

/** Lists the conversations, including archived ones, latest activity first. */
export function useChatItems(typed: string): PaletteGroup {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const conversations = useChatState((state) => state.conversations);
  const all = useMemo(
    () =>
      listConversationsByActivity(conversations).map((conversation) => ({
        id: `chat ${conversation.id}`,
        label: conversationName(conversation, t),
        ...(conversation.unreadCount > 0 && { detail: t('chats.unread', { count: conversation.unreadCount }) }),
        picture: conversationPicture(conversation),
        path: conversationPath(conversation),
      })),
    [conversations, t],
  );
  const items = findPaletteEntries(all, typed)
    .slice(0, typed.trim() === '' ? maxItems.atFirst : maxItems.found)
    .map(({ picture, path, ...entry }) => ({
      ...entry,
      icon: <Avatar name={entry.label} imageUrl={picture} size={24} />,
      does: () => void navigate(path),
    }));
  return { id: 'chats', title: t('palette.chats'), items };
}
