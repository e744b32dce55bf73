import type { Conversation, Message } from '@nolo/api';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useChat, useChatState } from '../context/chatContext.ts';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useBlocking } from './useBlocking.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { isLookAlikeName } from '../words/text/lookAlikes.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { requestsTexts } from '../words/requestsTexts.ts';

const ReportDialog = lazyDialog(async () => (await import('./ReportDialog.tsx')).ReportDialog);
const none: readonly Message[] = [];

/** Actions for a stranger's first messages, with a hint of what the stranger sees meanwhile. */
export function MessageRequestBar({ conversation, name }: { conversation: Conversation; name: string }) {
  const { t } = useTexts(conversationTexts, requestsTexts);
  const { engine } = useChat();
  const navigate = useNavigate();
  const { id, otherUser } = conversation;
  const messages = useChatState((state) => state.timelines[id]?.messages ?? none);
  const blocking = useBlocking(id, otherUser?.id);
  const [openDialog, setOpenDialog] = useState<'block' | 'delete' | 'report' | null>(null);
  const actions = getConversationActions(engine);
  const accepting = useAction(() => actions.setConversation(id, { accepted: true }), {
    failure: () => ({ title: t('requests:acceptFailed') }),
  });
  const leave = () => void navigate('/', { replace: true });
  const removing = useAction(() => actions.clear(id, true), {
    failure: () => ({ title: t('requests:deleteFailed') }),
    onDone: leave,
  });
  // The dialog stays open after a failure.
  const block = async (): Promise<void> => {
    if (await blocking.run(true)) leave();
  };
  return (
    <section
      data-keep-clear
      aria-label={t('requests:question', { name })}
      className="shrink-0 border-t border-line bg-panel px-5 pt-4 pb-[calc(1rem+env(safe-area-inset-bottom))]"
    >
      <div className="mx-auto flex max-w-140 flex-col items-center gap-3 text-center">
        <div>
          <p dir="auto" className="text-15 font-semibold wrap-anywhere">
            {t('requests:question', { name })}
          </p>
          <p dir="auto" className="mt-1 text-13 text-muted wrap-anywhere">
            {t('requests:unseen', { name })}
          </p>
          {isLookAlikeName(name) && (
            <p className="mt-1 text-13 text-warning-text">{t('conversation:nameLooksLikeAnother')}</p>
          )}
        </div>
        <div className="flex flex-wrap justify-center gap-2">
          <Button kind="secondary" onClick={() => setOpenDialog('delete')}>
            {t('requests:delete')}
          </Button>
          {otherUser && (
            <>
              <Button kind="secondary" onClick={() => setOpenDialog('block')}>
                {t('conversation:block')}
              </Button>
              <Button kind="secondary" onClick={() => setOpenDialog('report')}>
                {t('conversation:report')}
              </Button>
            </>
          )}
          <Button busy={accepting.busy} onClick={() => void accepting.run()}>
            {t('requests:accept')}
          </Button>
        </div>
      </div>
      {openDialog === 'report' && otherUser && (
        <ReportDialog
          kind="person"
          targetId={otherUser.id}
          reportedId={otherUser.id}
          name={name}
          messages={messages.filter(({ senderId }) => senderId === otherUser.id)}
          onBlock={block}
          onClose={() => setOpenDialog(null)}
        />
      )}
      <ConfirmDialog
        open={openDialog === 'delete'}
        onCancel={() => setOpenDialog(null)}
        title={t('requests:deleteTitle', { name })}
        text={t('requests:deleteText', { name })}
        confirmLabel={t('requests:delete')}
        onConfirm={removing.run}
      />
      <ConfirmDialog
        open={openDialog === 'block'}
        onCancel={() => setOpenDialog(null)}
        title={t('conversation:blockTitle', { name })}
        text={t('conversation:blockText')}
        confirmLabel={t('conversation:block')}
        onConfirm={block}
      />
    </section>
  );
}
