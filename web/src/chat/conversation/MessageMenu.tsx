import type { Message } from '@nolo/api';
import {
  CheckSquare,
  Copy,
  Download,
  Eraser,
  Flag,
  Forward,
  Info,
  Pencil,
  Pin,
  PinOff,
  Reply,
  SmilePlus,
  Star,
  StarOff,
  Trash2,
} from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { DropdownMenu as RadixMenu } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { useChatState } from '../context/chatContext.ts';
import { classNames } from '../../ui/classNames.ts';
import { DropdownMenu, MenuItem, MenuSeparator } from '../../ui/DropdownMenu.tsx';
import { mediaOfMessage } from '@nolo/client/chat/shownMedia';
import { quickReactions } from './messageRules.ts';
import { groupReactions, applyOptimisticReaction } from './reactionGroups.ts';
import type { MessageRights } from './useMessageActions.ts';

/** Message whose menu is open, and the menu's position on the screen. */
export interface MessageMenuState {
  key: string;
  message: Message;
  /** Allowed actions, as of the opening of the menu. */
  rights: MessageRights;
  x: number;
  y: number;
  /** Element that gets the focus back. */
  origin: HTMLElement;
}

/** Choice in the menu of one message. */
export type MessageChoice =
  | 'reply'
  | 'moreReactions'
  | 'forward'
  | 'copy'
  | 'download'
  | 'edit'
  | 'pin'
  | 'unpin'
  | 'star'
  | 'unstar'
  | 'select'
  | 'details'
  | 'hide'
  | 'report'
  | 'delete';

export interface MessageMenuProps {
  menu: MessageMenuState;
  selfId: string;
  onClose: () => void;
  onChoose: (choice: MessageChoice, message: Message) => void;
  onReact: (message: Message, emoji: string) => void;
}

/** Single menu for all messages, placed where it was opened: thousands of rows need not have their own. */
export function MessageMenu({ menu, selfId, onClose, onChoose, onReact }: MessageMenuProps) {
  const { t } = useTranslation();
  const { message, rights } = menu;
  const starred = useChatState((state) => state.starred[message.id] === true);
  const update = useChatState((state) => state.optimisticUpdates[message.id]);
  const pinned = update?.pinned ?? message.pinnedAt !== null;
  const own = groupReactions(applyOptimisticReaction(message.reactions, update, selfId), selfId).find(
    (group) => group.own,
  )?.emoji;
  // The message gets the focus before anything opens, so that the focus returns to it and not to a closed menu.
  const choose = (choice: MessageChoice) => () => {
    menu.origin.focus({ preventScroll: true });
    onChoose(choice, message);
  };
  const hasWords = (message.content || message.voiceMessageTranscription || '') !== '';
  const hasFile = (mediaOfMessage(message)?.url ?? null) !== null;
  return (
    <DropdownMenu
      open
      align="start"
      onOpenChange={(open) => {
        if (open) return;
        onClose();
        // Runs after the menu has focused its own anchor, which is gone by then.
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
      {rights.use && (
        <>
          <QuickReactions own={own} onReact={(emoji) => onReact(message, emoji)} onMore={choose('moreReactions')} />
          <MenuSeparator />
          <MenuItem icon={<Reply className="rtl:-scale-x-100" />} onSelect={choose('reply')}>
            {t('messages.reply')}
          </MenuItem>
          <MenuItem icon={<Forward className="rtl:-scale-x-100" />} onSelect={choose('forward')}>
            {t('messages.forward')}
          </MenuItem>
          {hasWords && (
            <MenuItem icon={<Copy />} onSelect={choose('copy')}>
              {t('common.copy')}
            </MenuItem>
          )}
          {hasFile && (
            <MenuItem icon={<Download />} onSelect={choose('download')}>
              {t('messages.download')}
            </MenuItem>
          )}
        </>
      )}
      {rights.edit && (
        <MenuItem icon={<Pencil />} onSelect={choose('edit')}>
          {t('conversation.edit')}
        </MenuItem>
      )}
      {rights.use && (
        <MenuItem icon={starred ? <StarOff /> : <Star />} onSelect={choose(starred ? 'unstar' : 'star')}>
          {t(starred ? 'messages.unstar' : 'messages.star')}
        </MenuItem>
      )}
      {rights.pin && (
        <MenuItem icon={pinned ? <PinOff /> : <Pin />} onSelect={choose(pinned ? 'unpin' : 'pin')}>
          {t(pinned ? 'messages.unpin' : 'messages.pin')}
        </MenuItem>
      )}
      {rights.use && (
        <MenuItem icon={<CheckSquare />} onSelect={choose('select')}>
          {t('messages.select')}
        </MenuItem>
      )}
      <MenuItem icon={<Info />} onSelect={choose('details')}>
        {t('conversation.details')}
      </MenuItem>
      {(rights.use || rights.remove) && <MenuSeparator />}
      {rights.use && (
        <MenuItem icon={<Eraser />} onSelect={choose('hide')}>
          {t('conversation.deleteForMe')}
        </MenuItem>
      )}
      {rights.use && message.senderId !== selfId && (
        <MenuItem danger icon={<Flag />} onSelect={choose('report')}>
          {t('conversation.report')}
        </MenuItem>
      )}
      {rights.remove && (
        <MenuItem danger icon={<Trash2 />} onSelect={choose('delete')}>
          {t('conversation.deleteForEveryone')}
        </MenuItem>
      )}
    </DropdownMenu>
  );
}

interface QuickReactionsProps {
  own: string | undefined;
  onReact: (emoji: string) => void;
  onMore: () => void;
}

/** Six quick reactions and a button for all others, in a row with arrow key navigation. */
function QuickReactions({ own, onReact, onMore }: QuickReactionsProps) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const forward = (event.key === 'ArrowRight') === (document.documentElement.dir !== 'rtl');
    const next = items[items.indexOf(event.target as HTMLElement) + (forward ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const classes =
    'inline-flex size-9 cursor-default items-center justify-center rounded-full text-20 leading-none outline-none data-highlighted:bg-hover pointer-coarse:size-11';
  return (
    <RadixMenu.Group
      aria-label={t('messages.react')}
      onKeyDown={onKeyDown}
      className="flex items-center gap-0.5 px-1 py-0.5 max-sm:justify-between"
    >
      {quickReactions.map((emoji) => (
        <RadixMenu.Item
          key={emoji}
          aria-label={t(own === emoji ? 'messages.removeReaction' : 'messages.reactWith', { emoji })}
          onSelect={() => onReact(emoji)}
          className={classNames(classes, own === emoji && 'bg-accent-subtle ring-1 ring-accent')}
        >
          {emoji}
        </RadixMenu.Item>
      ))}
      <RadixMenu.Item
        aria-label={t('messages.moreReactions')}
        onSelect={onMore}
        className={classNames(classes, 'text-muted')}
      >
        <SmilePlus aria-hidden="true" className="size-5" />
      </RadixMenu.Item>
    </RadixMenu.Group>
  );
}
