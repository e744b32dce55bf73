import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useEffect, useState, useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { useFocusReturn } from '../../ui/Dialog.tsx';
import { KeyboardKey } from '../../ui/KeyboardKey.tsx';
import { useCloseOverlayOnBack } from '../../ui/useCloseOverlayOnBack.ts';
import { StartDialogs, type StartDialogRequest } from '../StartDialogs.tsx';
import { useChatState } from '../../chat/context/chatContext.ts';
import { usePeopleSearch } from '../../shell/usePeopleSearch.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { listConversationsByActivity } from '@nolo/client/chat/chatStore';
import { conversationName, conversationPath, conversationPicture } from '../../chat/words/conversationName.ts';
import type { PaletteGroup, PaletteItem } from './paletteGroups.ts';
import { useActionItems } from './useActionItems.tsx';
import { useMessageItems } from './useMessageItems.tsx';
import { useSettingItems } from './useSettingItems.tsx';
import { findPaletteEntries } from './model/paletteEntries.ts';
import { useTexts } from '../../i18n/texts.ts';
import { paletteTexts } from './paletteTexts.ts';

/** Maximum chats; fewer without input, so that actions below are visible. */
const maxItems = { atFirst: 5, found: 8 };

/** Lists the conversations, including archived ones, latest activity first. */
function useChatItems(typed: string): PaletteGroup {
  const { t } = useTexts(paletteTexts);
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
  return { id: 'chats', title: t('palette:chats'), items };
}

/** Finds people without a conversation yet, by name, number or email address, on the server. */
function usePeopleItems(typed: string): PaletteGroup {
  const { t } = useTexts(paletteTexts);
  const navigate = useNavigate();
  const conversations = useChatState((state) => state.conversations);
  const { people, searching } = usePeopleSearch(typed, true);
  const known = new Set(Object.values(conversations).map(({ otherUser }) => otherUser?.id));
  const items = people
    .filter(({ id }) => !known.has(id))
    .map((person) => ({
      id: `person ${person.id}`,
      label: person.displayName,
      ...(person.statusMessage !== '' && { detail: person.statusMessage }),
      icon: <Avatar name={person.displayName} imageUrl={person.profileImageUrl} size={24} />,
      does: () => void navigate(`/chat/${person.id}`),
    }));
  return { id: 'people', title: t('palette:people'), items, searching };
}

interface CommandPaletteProps {
  onClose: () => void;
  onShowShortcuts: () => void;
}

/**
 * Finds chats, people, actions and settings by name, and messages by text, and opens or runs the choice; a dialog
 * replaces it.
 */
export function CommandPalette({ onClose, onShowShortcuts }: CommandPaletteProps) {
  const [dialog, setDialog] = useState<StartDialogRequest | null>(null);
  useFocusBack();
  if (dialog) {
    return <StartDialogs entry="desktop" open={dialog} onChange={(next) => (next ? setDialog(next) : onClose())} />;
  }
  return <Palette onClose={onClose} onShowShortcuts={onShowShortcuts} onOpen={setDialog} />;
}

/** Restores the focus to the previous element, even if a dialog replaced the palette and only knows the palette. */
function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      // Runs after the dialog has looked for the previous element.
      setTimeout(() => {
        const lost = document.activeElement === null || document.activeElement === document.body;
        if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, []);
}

interface PaletteProps extends CommandPaletteProps {
  onOpen: (dialog: StartDialogRequest) => void;
}

function Palette({ onClose, onShowShortcuts, onOpen }: PaletteProps) {
  const { t } = useTexts(paletteTexts);
  const [typed, setTyped] = useState('');
  const focusReturn = useFocusReturn();
  const sources: readonly PaletteGroup[] = [
    useChatItems(typed),
    usePeopleItems(typed),
    useActionItems(typed, onShowShortcuts),
    useSettingItems(typed),
    // Messages follow the entries found by name, which are fewer.
    ...useMessageItems(typed),
  ];
  const found = sources.filter(({ items }) => items.length > 0);
  const searching = sources.some((source) => source.searching === true);
  useCloseOverlayOnBack(true, onClose);
  const choose = ({ does }: PaletteItem): void => {
    if (typeof does !== 'function') return onOpen(does);
    onClose();
    does();
  };
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-scrim" />
        <RadixDialog.Content
          {...focusReturn}
          data-dialog
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[max(0.75rem,env(safe-area-inset-top))] z-40 mx-auto max-w-xl animate-pop-in overflow-clip rounded-card border border-line bg-overlay text-ink shadow-overlay outline-none sm:top-[12dvh]"
        >
          <RadixDialog.Title className="sr-only">{t('palette:title')}</RadixDialog.Title>
          {/* The sources rank their results; Ctrl and K closes the palette again. */}
          <Command label={t('palette:title')} shouldFilter={false} loop vimBindings={false}>
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search aria-hidden="true" className="size-5 shrink-0 text-muted" />
              <Command.Input
                autoFocus
                dir="auto"
                value={typed}
                onValueChange={setTyped}
                placeholder={t('palette:placeholder')}
                className="h-13 min-w-0 flex-1 bg-transparent text-16 outline-none placeholder:truncate placeholder:text-muted max-[22rem]:placeholder:text-14"
              />
              <span aria-hidden="true" className="flex max-sm:hidden">
                <KeyboardKey>Esc</KeyboardKey>
              </span>
            </div>
            <Command.List
              label={t('palette:results')}
              className="max-h-[min(26rem,60dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-2"
            >
              {found.map(({ id, title, items }) => (
                <Command.Group
                  key={id}
                  heading={title}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-muted"
                >
                  {items.map((item) => (
                    <Row key={item.id} item={item} onChoose={() => choose(item)} />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
            <p role="status" className="px-4 text-13 text-muted not-empty:pb-3">
              {searching ? t('palette:searching') : found.length === 0 && t('palette:nothing')}
            </p>
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function Row({ item, onChoose }: { item: PaletteItem; onChoose: () => void }) {
  const { id, label, shown = label, detail, icon, keys } = item;
  return (
    <Command.Item
      value={id}
      onSelect={onChoose}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-control px-2.5 py-1.5 text-14 select-none data-[selected=true]:bg-hover pointer-coarse:min-h-11 [&_svg]:size-[18px] [&_svg]:shrink-0 [&_svg]:text-muted"
    >
      <span aria-hidden="true" className="flex size-6 shrink-0 items-center justify-center">
        {icon}
      </span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start">
        {shown}
      </span>
      {detail !== undefined && (
        <span dir="auto" className="max-w-[45%] truncate text-13 text-muted max-[26rem]:max-w-[32%]">
          {detail}
        </span>
      )}
      {keys && (
        <span aria-hidden="true" className="flex gap-1 max-sm:hidden">
          {keys.map((key) => (
            <KeyboardKey key={key}>{key}</KeyboardKey>
          ))}
        </span>
      )}
    </Command.Item>
  );
}
