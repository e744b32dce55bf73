import type { Conversation } from '@nolo/api';
import { useMemo, useRef, useState } from 'react';
import { useChat, useChatState } from '../context/chatContext.ts';
import { listConversationsByActivity } from '@nolo/client/chat/chatStore';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { Dialog, DialogClose } from '../../ui/Dialog.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { useUnsavedWork } from '../../ui/useUnsavedWork.tsx';
import { conversationName, conversationPicture } from '../words/conversationName.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { filterConversations } from '../words/filterConversations.ts';
import { maxForwardTargets } from './messageRules.ts';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

/** Maximum rows drawn at once; users with more search by name. */
const maxRows = 50;

function mayWriteTo({ type, otherUser, isReplaced }: Conversation): boolean {
  if (isReplaced) return false;
  return type !== 'direct' || (otherUser !== null && !otherUser.isBlocked);
}

export interface ChooseConversationsDialogProps {
  title: string;
  /** Asks before sending; resolves to false if the user cancels. */
  confirm?: () => Promise<boolean>;
  /** Sends to each chosen conversation; the dialog confirms it, and closes. */
  onSend: (conversationId: string) => void;
  onClose: () => void;
}

/** Dialog to choose the conversations to send something to. */
export function ChooseConversationsDialog({ title, confirm, onSend, onClose }: ChooseConversationsDialogProps) {
  const { t } = useTexts(callTexts, messagesTexts);
  const { engine } = useChat();
  const names = usePeopleNames();
  const conversations = useChatState((state) => state.conversations);
  const search = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => listConversationsByActivity(conversations).filter(mayWriteTo), [conversations]);
  const named = useMemo(
    () =>
      filterConversations(
        rows.map((row) => ({ ...row, lastMessage: null })),
        query,
        t,
        names,
      ).slice(0, maxRows),
    [rows, query, t, names],
  );

  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const confirming = useAction(async () => confirm?.() ?? true, {
    failure: () => {
      toast({ kind: 'error', title: t('errors.sendMessage') });
      return undefined;
    },
  });
  const send = async (): Promise<void> => {
    if (!(await confirming.run())?.result) return;
    for (const id of chosen) onSend(id);
    const offline = engine.store.getState().connection !== 'open';
    toast({
      kind: 'success',
      title: t('messages:forwardTo.done', { count: chosen.size }),
      ...(offline && { description: t('messages:forwardTo.waiting') }),
    });
    onClose();
  };
  const unsaved = useUnsavedWork({ dirty: chosen.size > 0, onClose });
  const full = chosen.size >= maxForwardTargets;
  return (
    <Dialog
      open
      onOpenChange={unsaved.close}
      // The keyboard would cover the choices on a phone.
      initialFocus={() => (matchMedia('(pointer: fine)').matches ? search.current : null)}
      title={title}
      footer={
        <>
          {full && (
            <p role="status" className="me-auto self-center text-13 text-muted">
              {t('messages:forwardTo.most', { count: maxForwardTargets })}
            </p>
          )}
          <DialogClose>
            <Button kind="secondary">{t('common.cancel')}</Button>
          </DialogClose>
          <Button busy={confirming.busy} disabled={chosen.size === 0} onClick={() => void send()}>
            {t('messages:forwardTo.send')}
          </Button>
        </>
      }
    >
      <SearchField
        ref={search}
        label={t('messages:forwardTo.search')}
        value={query}
        onValueChange={setQuery}
        autoComplete="off"
      />
      <ul aria-label={t('chats.conversations')} className="-mx-2 mt-2 flex min-h-60 flex-col">
        {named.length === 0 && (
          <li className="px-2 py-6 text-center text-14 text-muted">{t('messages:forwardTo.none')}</li>
        )}
        {named.map((row) => {
          const checked = chosen.has(row.id);
          return (
            <li key={row.id}>
              <label
                className={classNames(
                  'flex min-h-13 items-center gap-3 rounded-card px-2',
                  full && !checked ? 'opacity-45' : 'cursor-pointer hover:bg-hover',
                )}
              >
                <input
                  type="checkbox"
                  checked={checked}
                  disabled={full && !checked}
                  onChange={() => toggle(row.id)}
                  className="size-5 shrink-0 accent-(--nolo-accent)"
                />
                <Avatar name={conversationName(row, t)} imageUrl={conversationPicture(row)} size={40} />
                <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-15 font-medium">
                  {conversationName(row, t)}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      {unsaved.question}
    </Dialog>
  );
}
