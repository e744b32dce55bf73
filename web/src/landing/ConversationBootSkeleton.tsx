import { ArrowLeft, Paperclip, Smile } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  composerBarClasses,
  composerButtonClasses,
  composerFieldClasses,
  composerInnerClasses,
  composerRowClasses,
} from '../ui/composerStyles.ts';
import { MessageListSkeleton } from '../chat/conversation/MessageListSkeleton.tsx';
import { AppSkeleton } from '../shell/AppSkeleton.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

/** Conversation placeholder until the app's code loads. Like the chats frame, it is part of the document. */
export function ConversationBootSkeleton() {
  const { t } = useTranslation();
  return (
    <AppSkeleton
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
          <MessageListSkeleton />
          <div className={composerBarClasses}>
            <div className={`${composerInnerClasses} ${composerRowClasses}`}>
              <span className={composerButtonClasses}>
                <Paperclip className="size-[21px]" />
              </span>
              <span className={composerButtonClasses}>
                <Smile className="size-[22px]" />
              </span>
              <textarea
                readOnly
                rows={1}
                className={composerFieldClasses}
                placeholder={t('chats.composerPlaceholder')}
              />
              {/* A microphone icon, or an arrow if there is no microphone. */}
              <span className="size-11 shrink-0 rounded-full bg-sunken" />
            </div>
          </div>
        </>
      }
    />
  );
}
