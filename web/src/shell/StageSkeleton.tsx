import { Skeleton } from '../ui/Skeleton.tsx';
import { useTexts } from '../i18n/texts.ts';

/** Placeholder for a call or meeting whose code or state is still loading: a picture, a name, and the controls bar. */
export function StageSkeleton() {
  const { t } = useTexts();
  return (
    <div
      role="status"
      aria-label={t('common.loading')}
      data-testid="stage-skeleton"
      className="flex h-dvh flex-col bg-page has-[~[data-call-pill]]:pt-15"
    >
      <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-5 px-6">
        <Skeleton className="size-30 rounded-full" />
        <Skeleton className="mt-2 h-7 w-48" />
        <Skeleton className="h-5 w-28" />
      </div>
      <div className="flex shrink-0 justify-center gap-3 px-4 pb-[calc(1.5rem+env(safe-area-inset-bottom))]">
        {['microphone', 'camera', 'leave'].map((control) => (
          <Skeleton key={control} className="size-12 rounded-full" />
        ))}
      </div>
    </div>
  );
}
