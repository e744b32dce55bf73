import type { Conversation } from '@nolo/api';
import {
  Archive,
  ArchiveRestore,
  Bell,
  BellOff,
  Eraser,
  LogOut,
  Mail,
  MailOpen,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { serverNow } from '../../api/serverClock.ts';
import { ApiError } from '../../api/httpClient.ts';
import { useChat } from '../context/chatContext.ts';
import { groupRequestStore } from '../context/groupRequestStore.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { isMuted } from '@nolo/client/chat/chatStore';
import type { ConversationSettingsChange } from '@nolo/client/chat/ports';
import { useAction } from '../../ui/useAction.ts';
import { toast } from '../../ui/toasts.ts';
import { ContextMenu, MenuItem, MenuItems, MenuLabel, type MenuEntry } from '../../ui/DropdownMenu.tsx';
import { conversationName } from '../words/conversationName.ts';
import type { RowMenuState } from './useRowMenu.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { rowsTexts } from './rowsTexts.ts';

const hourMs = 3_600_000;
const weekMs = 168 * hourMs;
/** Distant date that stands for "always". */
const always = '9999-12-31T23:59:59.000Z';

interface RowMenuProps {
  conversation: Conversation;
  menu: RowMenuState;
  /** Asks for confirmation before hiding all messages, and with `fromList` the conversation. */
  onTidy: (fromList: boolean) => void;
  onClose: () => void;
}

/** Menu with the user's own settings for a conversation. */
export function RowMenu({ conversation, menu, onTidy, onClose }: RowMenuProps) {
  const { t } = useTexts(rowsTexts);
  const { engine } = useChat();
  const [now] = useState(() => serverNow());
  const { id, archivedAt, pinnedAt, markedUnread, unreadCount } = conversation;
  const name = conversationName(conversation, t);
  const unread = markedUnread || unreadCount > 0;

  const { run: set } = useAction(
    (change: ConversationSettingsChange) => getConversationActions(engine).setConversation(id, change),
    {
      failure: (error) => {
        const full = error instanceof ApiError && error.code === 'too_many_pinned';
        return { title: t('rows:failed'), ...(full && { description: t('rows:tooManyPinned') }) };
      },
    },
  );
  const choose = (change: ConversationSettingsChange) => () => void set(change);
  const mute = (mutedUntil: string | null) => choose({ mutedUntil, mutedExceptMentions: false });
  const muteFor = (ms: number) => mute(new Date(now + ms).toISOString());
  const archive = async (archived: boolean): Promise<void> => {
    if (!(await set({ archived, ...(archived && { pinned: false }) }))) return;
    toast({
      title: t(archived ? 'rows:archived' : 'rows:unarchived', { name }),
      action: {
        label: t('rows:undo'),
        onSelect: choose({ archived: !archived, ...(pinnedAt !== null && { pinned: true }) }),
      },
    });
  };
  const markRead = (): void => {
    engine.markRead(id);
    if (markedUnread) choose({ markedUnread: false })();
  };
  const isArchived = archivedAt !== null;
  const isPinned = pinnedAt !== null;
  const muting: readonly MenuEntry[] = [
    { icon: <BellOff />, label: t('rows:muteHours', { count: 1 }), onSelect: muteFor(hourMs) },
    { icon: <BellOff />, label: t('rows:muteHours', { count: 8 }), onSelect: muteFor(8 * hourMs) },
    { icon: <BellOff />, label: t('rows:muteWeek'), onSelect: muteFor(weekMs) },
    { icon: <BellOff />, label: t('rows:muteAlways'), onSelect: mute(always) },
  ];
  return (
    <ContextMenu label={t('rows:menu', { name })} place={menu} onClose={onClose}>
      <MenuItems
        entries={[
          !isArchived && {
            icon: isPinned ? <PinOff /> : <Pin />,
            label: t(isPinned ? 'rows:unpin' : 'rows:pin'),
            onSelect: choose({ pinned: !isPinned }),
          },
          unread
            ? { icon: <MailOpen />, label: t('rows:markRead'), onSelect: markRead }
            : { icon: <Mail />, label: t('rows:markUnread'), onSelect: choose({ markedUnread: true }) },
          {
            icon: isArchived ? <ArchiveRestore /> : <Archive />,
            label: t(isArchived ? 'rows:unarchive' : 'rows:archive'),
            onSelect: () => void archive(!isArchived),
          },
          'line',
        ]}
      />
      {isMuted(conversation, now) ? (
        <MenuItem icon={<Bell />} onSelect={mute(null)}>
          {t('rows:unmute')}
        </MenuItem>
      ) : (
        <>
          <MenuLabel>{t('rows:mute')}</MenuLabel>
          <MenuItems entries={muting} />
        </>
      )}
      <MenuItems
        entries={[
          'line',
          { icon: <Eraser />, label: t('rows:clear'), onSelect: () => onTidy(false) },
          conversation.type === 'group' && {
            danger: true,
            icon: <LogOut className="rtl:-scale-x-100" />,
            label: t('rows:leave'),
            onSelect: () => groupRequestStore.setState({ leaving: conversation }),
          },
          conversation.type === 'direct' && {
            danger: true,
            icon: <Trash2 />,
            label: t('rows:delete'),
            onSelect: () => onTidy(true),
          },
        ]}
      />
    </ContextMenu>
  );
}
