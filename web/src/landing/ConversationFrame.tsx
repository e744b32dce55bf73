import { ArrowLeft, Paperclip, Smile } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  composerBar,
  composerButton,
  composerField,
  composerInside,
  composerRowClasses,
} from '../ui/composerStyles.ts';
import { MessageSkeleton } from '../chat/conversation/MessageSkeleton.tsx';
import { Frame } from '../shell/Frame.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

/** Conversation placeholder until the app's code loads. Like the chats frame, it is part of the document. */
export function ConversationFrame() {
  const { t } = useTranslation();
  return (
    <Frame
      content={
        <>
          <div className="box-content flex h-16 shrink-0 items-center gap-3 border-b border-line bg-panel px-1 pt-[env(safe-area-inset-top)] md:ps-4 md:pe-2">
            <PlainIconButton
              label={t('common.back')}
              icon={<ArrowLeft className="rtl:-scale-x-100" />}
              className="-me-3 md:hidden"
            />
            <Skeleton className="size-10 rounded-full! max-[22rem]:hidden" />
            <Skeleton className="h-4 w-32" />
          </div>
          <MessageSkeleton />
          <div className={composerBar}>
            <div className={`${composerInside} ${composerRowClasses}`}>
              <span className={composerButton}>
                <Paperclip className="size-[21px]" />
              </span>
              <span className={composerButton}>
                <Smile className="size-[22px]" />
              </span>
              <textarea readOnly rows={1} className={composerField} placeholder={t('chats.composerPlaceholder')} />
              {/* A microphone icon, or an arrow if there is no microphone. */}
              <span className="size-11 shrink-0 rounded-full bg-sunken" />
            </div>
          </div>
        </>
      }
    />
  );
}
