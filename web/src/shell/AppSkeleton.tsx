import { MessagesSquare, Settings, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LogoIcon } from '../ui/Logo.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { classNames } from '../ui/classNames.ts';
import { Skeleton, SkeletonRows } from '../ui/Skeleton.tsx';
import { ScreenHeader } from './ScreenHeader.tsx';
import { useTexts } from '../i18n/texts.ts';

const nothing = () => undefined;

/**
 * Placeholder for the chat list until its data loads. It is part of the document, so that it appears before the app's
 * code. It is hidden from input and screen readers, and the loading line shows the state.
 *
 * @param content open beside the list, or in its place on phones
 */
export function AppSkeleton({ content }: { content?: ReactNode }) {
  const { t } = useTexts();
  return (
    <div
      aria-hidden="true"
      inert
      className="flex h-dvh flex-col overflow-clip bg-page ps-[env(safe-area-inset-left)] pe-[env(safe-area-inset-right)] md:flex-row"
    >
      <div className="hidden w-16 shrink-0 flex-col items-center border-e border-line py-3 md:flex">
        <span className="flex size-11 items-center justify-center">
          <LogoIcon className="size-8" />
        </span>
      </div>
      <div
        className={classNames(
          'min-h-0 w-full flex-1 flex-col md:bg-panel md:flex md:w-70 md:flex-none md:border-e md:border-line lg:w-80 lg:max-w-[45vw] xl:w-90',
          content === undefined ? 'flex' : 'hidden',
        )}
      >
        <div className="md:hidden">
          <ScreenHeader
            title={t('chats.title')}
            actions={
              <>
                <PlainIconButton label={t('chats.new')} icon={<SquarePen />} onClick={nothing} />
                <PlainIconButton label={t('chats.settings')} icon={<Settings />} onClick={nothing} />
              </>
            }
          />
          {/* Position of the calls, if they exist. */}
          <div className="mb-2 h-11" />
        </div>
        <div className="box-content hidden h-16 shrink-0 items-center gap-2.5 ps-3 pe-3 pt-[env(safe-area-inset-top)] md:flex">
          <Skeleton className="size-10 rounded-full!" />
          <span className="flex-1">
            <Skeleton className="h-3.5 w-28" />
            <Skeleton className="mt-2 h-3 w-16" />
          </span>
          <PlainIconButton label={t('chats.new')} icon={<SquarePen />} onClick={nothing} />
        </div>
        <div className="mx-4 mb-2 md:mx-3">
          <SearchField label={t('chats.searchPlaceholder')} value="" onValueChange={nothing} />
        </div>
        <SkeletonRows rows={3} label={t('chats.loading')} />
      </div>
      {content === undefined ? (
        <>
          <div className="box-content h-14 shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:hidden" />
          <div className="hidden min-h-0 min-w-0 flex-1 flex-col md:flex">
            <EmptyState
              className="flex-1"
              icon={<MessagesSquare />}
              title={t('chats.selectTitle')}
              description={t('chats.selectText')}
              action={<Button kind="secondary">{t('chats.startNewChat')}</Button>}
            />
          </div>
        </>
      ) : (
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">{content}</div>
      )}
    </div>
  );
}
