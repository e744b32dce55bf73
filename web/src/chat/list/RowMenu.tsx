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
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../api/serverClock.ts';
import { ApiError } from '../../api/httpClient.ts';
import { useChat } from '../context/chatContext.ts';
import { leaveGroupRequestStore } from '../context/leaveGroupRequestStore.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { enRows } from './enRows.ts';
import { addWords } from '../../i18n/i18n.ts';
import { isMuted } from '@nolo/client/chat/chatStore';
import type { ConversationSettingsChange } from '@nolo/client/chat/ports';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/DropdownMenu.tsx';
import { conversationName } from '../words/conversationName.ts';
import type { RowMenuState } from './useRowMenu.tsx';

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
  const { t, i18n } = useTranslation();
  addWords(i18n, 'rows', enRows);
  const { engine } = useChat();
  const [now] = useState(() => serverNow());
  const { id, archivedAt, pinnedAt, markedUnread, unreadCount } = conversation;
  const name = conversationName(conversation, t);
  const unread = markedUnread || unreadCount > 0;

  const set = (change: ConversationSettingsChange): Promise<void> =>
    getConversationActions(engine)
      .setConversation(id, change)
      .catch((error: unknown) => {
        const full = error instanceof ApiError && error.code === 'too_many_pinned';
        showFailure({ title: t('rows.failed'), ...(full && { description: t('rows.tooManyPinned') }) });
        throw error;
      });
  const choose = (change: ConversationSettingsChange) => () => void set(change).catch(() => {});
  const muteFor = (ms: number) => choose({ mutedUntil: new Date(now + ms).toISOString(), mutedExceptMentions: false });
  const archive = (archived: boolean): void => {
    set({ archived, ...(archived && { pinned: false }) })
      .then(() => {
        const undo = () =>
          void set({ archived: !archived, ...(pinnedAt !== null && { pinned: true }) }).catch(() => {});
        toast({
          title: t(archived ? 'rows.archived' : 'rows.unarchived', { name }),
          action: { label: t('rows.undo'), onSelect: undo },
        });
      })
      .catch(() => {});
  };
  const markRead = (): void => {
    engine.markRead(id);
    if (markedUnread) choose({ markedUnread: false })();
  };
  return (
    <DropdownMenu
      open
      align="start"
      onOpenChange={(open) => {
        if (open) return;
        onClose();
        requestAnimationFrame(() => {
          const taken = document.activeElement !== null && document.activeElement !== document.body;
          if (!taken && menu.origin.isConnected) menu.origin.focus({ preventScroll: true });
        });
      }}
      trigger={
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('rows.menu', { name })}
          className="pointer-events-none fixed size-px opacity-0"
          style={{ left: menu.x, top: menu.y }}
        />
      }
    >
      {archivedAt === null && (
        <MenuItem icon={pinnedAt === null ? <Pin /> : <PinOff />} onSelect={choose({ pinned: pinnedAt === null })}>
          {t(pinnedAt === null ? 'rows.pin' : 'rows.unpin')}
        </MenuItem>
      )}
      {unread ? (
        <MenuItem icon={<MailOpen />} onSelect={markRead}>
          {t('rows.markRead')}
        </MenuItem>
      ) : (
        <MenuItem icon={<Mail />} onSelect={choose({ markedUnread: true })}>
          {t('rows.markUnread')}
        </MenuItem>
      )}
      <MenuItem
        icon={archivedAt === null ? <Archive /> : <ArchiveRestore />}
        onSelect={() => archive(archivedAt === null)}
      >
        {t(archivedAt === null ? 'rows.archive' : 'rows.unarchive')}
      </MenuItem>
      <MenuSeparator />
      {isMuted(conversation, now) ? (
        <MenuItem icon={<Bell />} onSelect={choose({ mutedUntil: null, mutedExceptMentions: false })}>
          {t('rows.unmute')}
        </MenuItem>
      ) : (
        <>
          <MenuLabel>{t('rows.mute')}</MenuLabel>
          <MenuItem icon={<BellOff />} onSelect={muteFor(hourMs)}>
            {t('rows.muteHours', { count: 1 })}
          </MenuItem>
          <MenuItem icon={<BellOff />} onSelect={muteFor(8 * hourMs)}>
            {t('rows.muteHours', { count: 8 })}
          </MenuItem>
          <MenuItem icon={<BellOff />} onSelect={muteFor(weekMs)}>
            {t('rows.muteWeek')}
          </MenuItem>
          <MenuItem icon={<BellOff />} onSelect={choose({ mutedUntil: always, mutedExceptMentions: false })}>
            {t('rows.muteAlways')}
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem icon={<Eraser />} onSelect={() => onTidy(false)}>
        {t('rows.clear')}
      </MenuItem>
      {conversation.type === 'group' && (
        <MenuItem
          danger
          icon={<LogOut className="rtl:-scale-x-100" />}
          onSelect={() => leaveGroupRequestStore.setState({ group: conversation })}
        >
          {t('rows.leave')}
        </MenuItem>
      )}
      {conversation.type === 'direct' && (
        <MenuItem danger icon={<Trash2 />} onSelect={() => onTidy(true)}>
          {t('rows.delete')}
        </MenuItem>
      )}
    </DropdownMenu>
  );
}
