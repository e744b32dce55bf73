import type { Message } from '@nolo/api';
import { limits, withinEditWindow } from '@nolo/rules';
import { Copy, Info, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../state/toasts.ts';
import { DropdownMenu, MenuItem, MenuSeparator } from '../../ui/DropdownMenu.tsx';

/** Which message's menu is open, and where on the screen. */
export interface OpenMenu {
  key: string;
  message: Message;
  /** Whether it may still be edited and deleted, as of when the menu was opened. */
  changeable: boolean;
  x: number;
  y: number;
  /** Who gets the focus back. */
  origin: HTMLElement;
}

/** Whether it is one's own, still there, and young enough to be changed (decision 15). */
export function mayChange(message: Message, selfId: string, now: number): boolean {
  return (
    message.senderId === selfId &&
    message.deletedAt === null &&
    message.messageType !== 'system' &&
    withinEditWindow(Date.parse(message.createdAt), now, limits.editWindowHours)
  );
}

export interface MessageMenuProps {
  menu: OpenMenu;
  onClose: () => void;
  onEdit: (message: Message) => void;
  onDelete: (message: Message) => void;
  onDetails: (message: Message) => void;
}

/** One menu for all messages, standing where it was asked for: thousands of rows need not carry their own. */
export function MessageMenu({ menu, onClose, onEdit, onDelete, onDetails }: MessageMenuProps) {
  const { t } = useTranslation();
  const { message, changeable } = menu;
  // The message has the focus before anything opens, so that it comes back there and not to a menu that is gone.
  const goOn = (action: (message: Message) => void) => () => {
    menu.origin.focus({ preventScroll: true });
    action(message);
  };
  const copy = () => {
    navigator.clipboard
      .writeText(message.content)
      .then(() => toast({ kind: 'success', title: t('conversation.copied') }))
      .catch(() => toast({ kind: 'error', title: t('errors.generic') }));
  };
  return (
    <DropdownMenu
      open
      align="start"
      onOpenChange={(open) => {
        if (open) return;
        onClose();
        // After the menu gave the focus to its own anchor, which is gone by then.
        requestAnimationFrame(() => {
          const taken = document.activeElement !== null && document.activeElement !== document.body;
          if (!taken && menu.origin.isConnected) menu.origin.focus({ preventScroll: true });
        });
      }}
      trigger={
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('conversation.menu')}
          className="pointer-events-none fixed size-px opacity-0"
          style={{ left: menu.x, top: menu.y }}
        />
      }
    >
      {message.deletedAt === null && message.messageType !== 'system' && (
        <MenuItem icon={<Copy />} onSelect={copy}>
          {t('common.copy')}
        </MenuItem>
      )}
      {changeable && message.messageType === 'text' && (
        <MenuItem icon={<Pencil />} onSelect={goOn(onEdit)}>
          {t('conversation.edit')}
        </MenuItem>
      )}
      <MenuItem icon={<Info />} onSelect={goOn(onDetails)}>
        {t('conversation.details')}
      </MenuItem>
      {changeable && (
        <>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 />} onSelect={goOn(onDelete)}>
            {t('conversation.deleteForEveryone')}
          </MenuItem>
        </>
      )}
    </DropdownMenu>
  );
}
