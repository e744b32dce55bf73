import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { conversationName } from '../words/conversationName.ts';
import { Composer, type ComposerProps } from './Composer.tsx';
import { useBlocking } from './useBlocking.ts';

/** Composer, or the reason why it is missing. */
export function ComposerOrReason({ conversation, ...composer }: Omit<ComposerProps, 'name'>) {
  const { t } = useTranslation();
  const { otherUser } = conversation;
  const name = conversationName(conversation, t);
  const blocking = useBlocking(conversation.id, otherUser?.id);
  if (conversation.type === 'direct' && !otherUser) return <Notice>{t('conversation.accountGone')}</Notice>;
  if (otherUser?.isBlocked) {
    return (
      <Notice>
        {t('conversation.blockedByYou', { name })}
        <Button kind="secondary" size="small" busy={blocking.busy} onClick={() => void blocking.run(false)}>
          {t('conversation.unblock')}
        </Button>
      </Notice>
    );
  }
  return <Composer {...composer} conversation={conversation} name={name} />;
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div
      data-keep-clear
      role="status"
      className="flex min-h-16 shrink-0 flex-wrap items-center justify-center gap-x-4 gap-y-2 border-t border-line bg-panel px-5 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] text-center text-14 text-muted"
    >
      {children}
    </div>
  );
}
