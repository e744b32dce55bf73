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
import { useChatState } from '../context/chatContext.ts';
import { classNames } from '../../ui/classNames.ts';
import { ContextMenu, MenuItems, type MenuPlace } from '../../ui/DropdownMenu.tsx';
import { mediaOfMessage } from '@nolo/client/chat/shownMedia';
import { quickReactions } from './messageRules.ts';
import { groupReactions, applyOptimisticReaction } from './reactionGroups.ts';
import type { MessageRights } from './useMessageActions.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

/** Message whose menu is open, and the menu's position on the screen. */
export interface MessageMenuState extends MenuPlace {
  key: string;
  message: Message;
  /** Allowed actions, as of the opening of the menu. */
  rights: MessageRights;
}

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
  const { t } = useTexts(conversationTexts, messagesTexts);
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
  const { use, edit, pin, remove } = rights;
  return (
    <ContextMenu label={t('conversation:menu')} place={menu} onClose={onClose}>
      {use && (
        <QuickReactions own={own} onReact={(emoji) => onReact(message, emoji)} onMore={choose('moreReactions')} />
      )}
      <MenuItems
        entries={[
          use && 'line',
          use && {
            icon: <Reply className="rtl:-scale-x-100" />,
            label: t('messages:reply'),
            onSelect: choose('reply'),
          },
          use && {
            icon: <Forward className="rtl:-scale-x-100" />,
            label: t('messages:forward'),
            onSelect: choose('forward'),
          },
          use && hasWords && { icon: <Copy />, label: t('common.copy'), onSelect: choose('copy') },
          use && hasFile && { icon: <Download />, label: t('messages:download'), onSelect: choose('download') },
          edit && { icon: <Pencil />, label: t('conversation:edit'), onSelect: choose('edit') },
          use && {
            icon: starred ? <StarOff /> : <Star />,
            label: t(starred ? 'messages:unstar' : 'messages:star'),
            onSelect: choose(starred ? 'unstar' : 'star'),
          },
          pin && {
            icon: pinned ? <PinOff /> : <Pin />,
            label: t(pinned ? 'messages:unpin' : 'messages:pin'),
            onSelect: choose(pinned ? 'unpin' : 'pin'),
          },
          use && { icon: <CheckSquare />, label: t('messages:select'), onSelect: choose('select') },
          { icon: <Info />, label: t('conversation:details'), onSelect: choose('details') },
          (use || remove) && 'line',
          use && { icon: <Eraser />, label: t('conversation:deleteForMe'), onSelect: choose('hide') },
          use &&
            message.senderId !== selfId && {
              danger: true,
              icon: <Flag />,
              label: t('conversation:report'),
              onSelect: choose('report'),
            },
          remove && {
            danger: true,
            icon: <Trash2 />,
            label: t('conversation:deleteForEveryone'),
            onSelect: choose('delete'),
          },
        ]}
      />
    </ContextMenu>
  );
}

/** Six quick reactions and a button for all others, in a row with arrow key navigation. */
function QuickReactions(props: { own: string | undefined; onReact: (emoji: string) => void; onMore: () => void }) {
  const { own, onReact, onMore } = props;
  const { t } = useTexts(messagesTexts);
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
      aria-label={t('messages:react')}
      onKeyDown={onKeyDown}
      className="flex items-center gap-0.5 px-1 py-0.5 max-sm:justify-between"
    >
      {quickReactions.map((emoji) => (
        <RadixMenu.Item
          key={emoji}
          aria-label={t(own === emoji ? 'messages:removeReaction' : 'messages:reactWith', { emoji })}
          onSelect={() => onReact(emoji)}
          className={classNames(classes, own === emoji && 'bg-accent-subtle ring-1 ring-accent')}
        >
          {emoji}
        </RadixMenu.Item>
      ))}
      <RadixMenu.Item
        aria-label={t('messages:moreReactions')}
        onSelect={onMore}
        className={classNames(classes, 'text-muted')}
      >
        <SmilePlus aria-hidden="true" className="size-5" />
      </RadixMenu.Item>
    </RadixMenu.Group>
  );
}
